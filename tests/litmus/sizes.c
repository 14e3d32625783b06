/* SPDX-License-Identifier: ISC */
/* Store buffering with every size and type of variable.
 *
 * verdict  -DTYPE=_Bool            tso  assertion reorder
 * verdict  -DTYPE=char             tso  assertion reorder
 * verdict  -DTYPE=short            tso  assertion reorder
 * verdict  -DTYPE=int              tso  assertion reorder
 * verdict  -DTYPE=long             tso  assertion reorder
 * verdict  -DTYPE=float            tso  assertion reorder
 * verdict  -DTYPE=double           tso  assertion reorder
 * verdict  -DTYPE=double           sc   ok complete
 * verdict  -DTYPE=pointer          tso  assertion reorder
 * verdict  -DTYPE=double -DFENCED  tso  ok complete
 * verdict  -DTYPE=short -DFENCED   pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

typedef void *pointer;

static _Atomic(TYPE) x, y;

static void *a(void *arg)
{
	int r;

	atomic_store_explicit(&x, (TYPE)1, memory_order_relaxed);
#ifdef FENCED
	atomic_thread_fence(memory_order_seq_cst);
#endif
	r = atomic_load_explicit(&y, memory_order_relaxed) != (TYPE)0;
	RETURN(r, 0, 0, 0);
}

static void *b(void *arg)
{
	int r;

	atomic_store_explicit(&y, (TYPE)1, memory_order_relaxed);
#ifdef FENCED
	atomic_thread_fence(memory_order_seq_cst);
#endif
	r = atomic_load_explicit(&x, memory_order_relaxed) != (TYPE)0;
	RETURN(r, 0, 0, 0);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!(r[0] == 0 && r[1] == 0));
	return 0;
}
