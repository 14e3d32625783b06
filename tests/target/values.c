/* SPDX-License-Identifier: ISC */
/* values.c - inline assembly of AArch64 computes the same as without heddle: every operation that
 * target.sh's programs may contain, on many values. */
#include <inttypes.h>
#include <stdio.h>

static const uint64_t values[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000,
	0xffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x123456789abcdef0};
#define N (sizeof(values) / sizeof(values[0]))

static uint64_t sum;

static void mix(uint64_t v)
{
	sum = (sum ^ v) * 0x100000001b3 + (sum >> 29);
}

/* A loop that stores an operation of the old value, which is kept, or not. */
#define LOOP(name, type, load, store, w, compute) \
	static void loop_##name(type *p, type i) \
	{ \
		type old, new; \
		uint32_t status; \
		__asm__ volatile("	prfm	pstl1strm, %3\n" \
				 "1:	" load "	%" w "0, %3\n" \
				 "	" compute "\n" \
				 "	" store "	%w2, %" w "1, %3\n" \
				 "	cbnz	%w2, 1b // again\n" \
				 : "=&r"(old), "=&r"(new), "=&r"(status), "+Q"(*p) \
				 : "r"(i) \
				 : "memory"); \
		mix(old), mix(new), mix(status), mix(*p); \
	}
LOOP(add, uint64_t, "ldxr", "stxr", "", "add %1, %0, %4")
LOOP(sub, uint32_t, "ldaxr", "stlxr", "w", "sub %w1, %w0, %w4")
LOOP(from, uint32_t, "ldaxr", "stlxr", "w", "sub %w1, %w4, %w0")
LOOP(and, uint16_t, "ldaxrh", "stlxrh", "w", "and %w1, %w4, %w0")
LOOP(orr, uint8_t, "ldxrb", "stlxrb", "w", "orr %w1, %w0, %w4")
LOOP(eor, uint64_t, "ldxr", "stlxr", "", "eor %1, %0, %4")
LOOP(bic, uint64_t, "ldxr", "stlxr", "", "bic %1, %0, %4")
LOOP(mvn, uint32_t, "ldxr", "stlxr", "w", "mvn %w1, %w0")
LOOP(neg, uint32_t, "ldxr", "stlxr", "w", "neg %w1, %w0")
LOOP(one, uint32_t, "ldxr", "stlxr", "w", "add %w1, %w0, #1")
LOOP(swap, uint64_t, "ldxr", "stxr", "", "mov %1, %4")
LOOP(same, uint64_t, "ldxr", "stxr", "", "mov %1, %0")
LOOP(two, uint64_t, "ldxr", "stxr", "", "add %1, %0, %4; eor %1, %1, %0")
LOOP(before, uint64_t, "ldxr", "stxr", "", "add %1, %4, %4; add %1, %0, %1")

/* As Linux has it: eor and cbnz; a barrier on success only. */
#define EXCHANGE(name, type, w, width, decide, leave) \
	static void exchange_##name(type *p, type old, type new) \
	{ \
		type found, t; \
		uint32_t after = 7; \
		__asm__ volatile("1:	ldxr" width "	%" w "1, %2\n" \
				 "	" decide "\n" \
				 "	" leave "\n" \
				 "	stlxr" width "	%w0, %" w "5, %2\n" \
				 "	cbnz	%w0, 1b\n" \
				 "	dmb	ish\n" \
				 "	mov	%w3, #9\n" \
				 "2:" \
				 : "=&r"(t), "=&r"(found), "+Q"(*p), "+r"(after) \
				 : "r"((uint64_t)old), "r"(new) \
				 : "memory", "cc"); \
		mix(found), mix(after), mix(*p); \
	}
EXCHANGE(linux, uint64_t, "", "", "eor %0, %1, %4", "cbnz %0, 2f")
EXCHANGE(cmp, uint32_t, "w", "", "cmp %w1, %w4", "b.ne 2f")
EXCHANGE(half, uint16_t, "w", "h", "cmp %w4, %w1", "b.ne 2f")
EXCHANGE(zero, uint32_t, "w", "", "nop", "cbnz %w1, 2f")

/* With LSE: the old value. */
#define SINGLE(name, type, w, code) \
	static void single_##name(type *p, type i) \
	{ \
		type old = 3; \
		__asm__ volatile(".arch_extension lse\n	" code \
				 : "+&r"(old), "+Q"(*p) \
				 : "r"(i) \
				 : "memory"); \
		mix(old), mix(*p); \
	}
SINGLE(ldadd, uint64_t, "", "ldaddal %2, %0, %1")
SINGLE(ldclr, uint32_t, "w", "ldclra %w2, %w0, %1")
SINGLE(ldset, uint16_t, "w", "ldsetlh %w2, %w0, %1")
SINGLE(ldeor, uint8_t, "w", "ldeoralb %w2, %w0, %1")
SINGLE(ldsmax, uint32_t, "w", "ldsmax %w2, %w0, %1")
SINGLE(ldumin, uint32_t, "w", "ldumin %w2, %w0, %1")
SINGLE(stadd, uint32_t, "w", "stadd %w2, %1")
SINGLE(swp, uint64_t, "", "swpal %2, %0, %1")
SINGLE(swpb, uint8_t, "w", "swpb %w2, %w0, %1")
SINGLE(cas, uint32_t, "w", "casal %w0, %w2, %1")
SINGLE(casb, uint8_t, "w", "casb %w0, %w2, %1")

static void accesses(uint64_t *p, uint64_t v)
{
	uint64_t a, b, c;
	uint64_t equal;

	__asm__ volatile("stlr %2, [%1]\n	ldar %0, [%1]"
			 : "=&r"(a)
			 : "r"(p), "r"(v)
			 : "memory");
	__asm__ volatile("str %w2, [%1, #4]; ldr %0, [%1]"
			 : "=&r"(b)
			 : "r"(p), "r"(v + 1)
			 : "memory");
	__asm__ volatile("strh %w2, %1; dmb ishst; ldrb %w0, %1"
			 : "=&r"(c), "+Q"(*p)
			 : "r"(v)
			 : "memory");
	__asm__ volatile("ldr %0, [%1]; cmp %0, %2; cset %w0, eq"
			 : "=&r"(equal)
			 : "r"(p), "r"(v)
			 : "cc", "memory");
	__asm__ volatile("dmb ishld; isb; yield" ::: "memory");
	mix(a), mix(b), mix(c), mix(equal), mix(*p);
}

#define EACH(f, type) \
	for (unsigned i = 0; i < N; i++) \
		for (unsigned k = 0; k < N; k++) { \
			static type v; \
			v = (type)values[i]; \
			f(&v, (type)values[k]); \
		} \
	printf("%s %" PRIx64 "\n", #f, sum);

#define EACH_PAIR(f, type) \
	for (unsigned i = 0; i < N; i++) \
		for (unsigned k = 0; k < N; k++) { \
			static type v; \
			v = (type)values[i]; \
			f(&v, (type)values[k], 5); \
		} \
	printf("%s %" PRIx64 "\n", #f, sum);

int main(void)
{
	EACH(loop_add, uint64_t)
	EACH(loop_sub, uint32_t)
	EACH(loop_from, uint32_t)
	EACH(loop_and, uint16_t)
	EACH(loop_orr, uint8_t)
	EACH(loop_eor, uint64_t)
	EACH(loop_bic, uint64_t)
	EACH(loop_mvn, uint32_t)
	EACH(loop_neg, uint32_t)
	EACH(loop_one, uint32_t)
	EACH(loop_swap, uint64_t)
	EACH(loop_same, uint64_t)
	EACH(loop_two, uint64_t)
	EACH(loop_before, uint64_t)
	EACH_PAIR(exchange_linux, uint64_t)
	EACH_PAIR(exchange_cmp, uint32_t)
	EACH_PAIR(exchange_half, uint16_t)
	EACH_PAIR(exchange_zero, uint32_t)
	EACH(single_ldadd, uint64_t)
	EACH(single_ldclr, uint32_t)
	EACH(single_ldset, uint16_t)
	EACH(single_ldeor, uint8_t)
	EACH(single_ldsmax, uint32_t)
	EACH(single_ldumin, uint32_t)
	EACH(single_stadd, uint32_t)
	EACH(single_swp, uint64_t)
	EACH(single_swpb, uint8_t)
	EACH(single_cas, uint32_t)
	EACH(single_casb, uint8_t)
	EACH(accesses, uint64_t)
	return 0;
}
