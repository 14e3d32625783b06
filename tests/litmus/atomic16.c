/* SPDX-License-Identifier: ISC */
/* Atomics of sixteen bytes: a pair of pointers, or a pointer and a counter.
 *
 * TEAR: a reader never sees half of a store or of an exchange.
 * SB: stores of sixteen bytes wait in the buffer like others; SB_CAS: a compare-and-exchange waits
 *     for it, even when it fails.
 *
 * verdict  -DTEAR    tso  ok complete
 * verdict  -DTEAR    pso  ok complete
 * verdict  -DSB      sc   ok complete
 * verdict  -DSB      tso  assertion reorder
 * verdict  -DSB      pso  assertion reorder
 * verdict  -DSB_CAS  tso  ok complete
 * verdict  -DSB_CAS  pso  ok complete
 * verdict  -DSB -mcx16      tso  assertion reorder
 * verdict  -DTEAR -mcx16    pso  ok complete
 * verdict  -DSB_CAS -mcx16  pso  ok complete
 * options  --strategy dfs
 * libs     -latomic
 */
#include "litmus.h"

struct pair {
	uint64_t left, right;
};

static _Atomic(struct pair) x, y;

#define STORE(p, v)                                                                                \
	atomic_store_explicit(p, ((struct pair){v, v}), memory_order_relaxed)

#ifdef TEAR
static void *a(void *arg)
{
	struct pair expected = {1, 1};

	STORE(&x, 1);
	atomic_compare_exchange_strong(&x, &expected, ((struct pair){2, 2}));
	RETURN(0, 0, 0, 0);
}

static void *b(void *arg)
{
	struct pair p = atomic_load_explicit(&x, memory_order_relaxed);
	struct pair q = atomic_exchange(&y, p);

	RETURN(p.left != p.right || q.left != 0 || q.right != 0, 0, 0, 0);
}

#define WEAK (r[1] != 0)
#else
#ifdef SB_CAS
static void fence(_Atomic(struct pair) *p)
{
	struct pair expected = {7, 7};

	assert(!atomic_compare_exchange_strong_explicit(
		p, &expected, ((struct pair){0, 0}), memory_order_relaxed, memory_order_relaxed));
}
#else
#define fence(p) ((void)0)
#endif

static void *a(void *arg)
{
	struct pair p;

	STORE(&x, 1);
	fence(&x);
	p = atomic_load_explicit(&y, memory_order_relaxed);
	RETURN(p.left, p.right, 0, 0);
}

static void *b(void *arg)
{
	struct pair p;

	STORE(&y, 1);
	fence(&y);
	p = atomic_load_explicit(&x, memory_order_relaxed);
	RETURN(p.left, p.right, 0, 0);
}

#define WEAK (r[0] == 0 && r[1] == 0)
#endif

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!WEAK);
	return 0;
}
