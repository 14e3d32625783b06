/* SPDX-License-Identifier: ISC */
/* Numbers of executions that are known in advance.
 *
 * Under SC each access to shared memory is one step, and creation, start, end and join of threads
 * leave no choice. So N threads of A, B, C accesses each have (A+B+C)! / (A! B! C!)
 * executions, no more and no fewer, whatever the accesses are.
 *
 * verdict sc ok complete
 * executions -DA=1 -DB=1 sc 2
 * executions -DA=2 -DB=2 sc 6
 * executions -DA=3 -DB=2 sc 10
 * executions -DA=3 -DB=3 sc 20
 * executions -DA=4 -DB=4 sc 70
 * executions -DA=6 -DB=6 sc 924
 * executions -DA=1 -DB=1 -DC=1 sc 6
 * executions -DA=2 -DB=2 -DC=2 sc 90
 * executions -DA=3 -DB=3 -DC=3 sc 1680
 * executions -DA=1 -DB=1 -DC=1 -DD=1 sc 24
 * executions -DA=2 -DB=2 -DSTORES sc 6
 * executions -DA=2 -DB=2 -DRMWS sc 6
 * executions -DA=2 -DB=2 -DRMWS tso 6
 * executions -DA=2 -DB=2 -DRMWS pso 6
 * executions -DA=3 -DB=3 -DLOADS tso 20
 * executions -DA=3 -DB=3 -DLOADS pso 20
 */
#include "litmus.h"

#ifndef A
#define A 2
#define B 1
#endif
#ifndef C
#define C 0
#endif
#ifndef D
#define D 0
#endif

/* Not static, and values read are used: compilers drop relaxed accesses without effect. */
atomic_int x;

#if defined(STORES)
#define ACCESS() (atomic_store_explicit(&x, 1, memory_order_relaxed), 0)
#elif defined(RMWS)
#define ACCESS() atomic_fetch_add_explicit(&x, 1, memory_order_relaxed)
#else
#define ACCESS() atomic_load_explicit(&x, memory_order_relaxed)
#endif

#define BODY(name, n) \
	static void *name(void *arg) \
	{ \
		int sum = 0; \
\
		for (int i = 0; i < (n); i++) \
			sum += ACCESS(); \
		RETURN(sum, 0, 0, 0); \
	}

BODY(a, A)
BODY(b, B)
BODY(c, C)
BODY(d, D)

int main(void)
{
	uintptr_t r[4];

	RUN(r, a, b, c, d);
	return 0;
}
