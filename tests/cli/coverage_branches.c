/* SPDX-License-Identifier: ISC */
/* coverage_branches.c - for t_coverage.sh: each conditional branch, near and far, against the same condition as a value. */
#include <assert.h>

#define CONDITIONS(X) X(o) X(no) X(b) X(ae) X(e) X(ne) X(be) X(a) X(s) X(ns) X(p) X(np) X(l) X(ge) X(le) X(g)

#define AS_VALUE(cc) \
	static int value_##cc(long a, long b) \
	{ \
		unsigned char set; \
		__asm__ volatile("cmp %2, %1; set" #cc " %0" : "=q"(set) : "r"(a), "r"(b) : "cc"); \
		return set; \
	}
#define AS_BRANCH(cc) \
	static int near_##cc(long a, long b) \
	{ \
		int jumps = 1; \
		__asm__ volatile("cmp %2, %1; j" #cc " 1f; xor %0, %0; 1:" : "+r"(jumps) : "r"(a), "r"(b) : "cc"); \
		return jumps; \
	} \
	static int far_##cc(long a, long b) \
	{ \
		int jumps = 1; \
		__asm__ volatile("cmp %2, %1; %{disp32%} j" #cc " 1f; xor %0, %0; 1:" : "+r"(jumps) : "r"(a), "r"(b) : "cc"); \
		return jumps; \
	}
CONDITIONS(AS_VALUE)
CONDITIONS(AS_BRANCH)

#define SAME(cc) \
	assert(near_##cc(x[i], x[k]) == value_##cc(x[i], x[k])); \
	assert(far_##cc(x[i], x[k]) == value_##cc(x[i], x[k]));

int main(void)
{
	static const long x[] = {0, 1, -1, 3, 2, 255, 256, -256, 1L << 62, -1L ^ 1L << 63, 1L << 63, 1 + (1L << 63)};
	enum { N = sizeof x / sizeof *x };

	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++) {
			CONDITIONS(SAME)
		}
	return 0;
}
