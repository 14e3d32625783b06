/* SPDX-License-Identifier: ISC */
/* SB - store buffering: x=1; r=y(0) with y=1; r=x(0).
 *
 * The weakness of TSO and PSO: a load overtakes the store before it. It must show for every kind
 * of
 * store that waits in the buffer, however the variables were initialised, and with every fence that
 * does not wait for the buffer; and it must not with one that does, in both threads.
 *
 * verdict  sc   ok complete
 * verdict  tso  assertion reorder
 * verdict  pso  assertion reorder
 * verdict  -DATOMIC_INIT tso  assertion reorder
 * verdict  -DATOMIC_INIT pso  assertion reorder
 * verdict  -DSTORE_INIT tso  assertion reorder
 * verdict  -DSTORE_INIT pso  assertion reorder
 * verdict  -DPLAIN tso  assertion reorder
 * verdict  -DPLAIN pso  assertion reorder
 * verdict  -DVOLATILE tso  assertion reorder
 * verdict  -DVOLATILE pso  assertion reorder
 * verdict  -DMOV tso  assertion reorder
 * verdict  -DMOV pso  assertion reorder
 * verdict  -DRELEASE tso  assertion reorder
 * verdict  -DRELEASE pso  assertion reorder
 * verdict  -DSEQ_CST tso  ok complete
 * verdict  -DSEQ_CST pso  ok complete
 * verdict  -DXCHG tso  ok complete
 * verdict  -DXCHG pso  ok complete
 * verdict  -DPLAIN sc  ok complete
 * verdict  -DMOV   sc  ok complete
 * verdict  -DF_SEQ_CST tso  ok complete
 * verdict  -DF_SEQ_CST pso  ok complete
 * verdict  -DF_SYNC tso  ok complete
 * verdict  -DF_SYNC pso  ok complete
 * verdict  -DF_MFENCE tso  ok complete
 * verdict  -DF_MFENCE pso  ok complete
 * verdict  -DF_LOCK tso  ok complete
 * verdict  -DF_LOCK pso  ok complete
 * verdict  -DF_RMW tso  ok complete
 * verdict  -DF_RMW pso  ok complete
 * verdict  -DF_CAS_FAILS tso  ok complete
 * verdict  -DF_CAS_FAILS pso  ok complete
 * verdict  -DF_MUTEX tso  ok complete
 * verdict  -DF_MUTEX pso  ok complete
 * verdict  -DF_ACQ_REL tso  assertion reorder
 * verdict  -DF_ACQ_REL pso  assertion reorder
 * verdict  -DF_RELEASE tso  assertion reorder
 * verdict  -DF_RELEASE pso  assertion reorder
 * verdict  -DF_ACQUIRE tso  assertion reorder
 * verdict  -DF_ACQUIRE pso  assertion reorder
 * verdict  -DF_SIGNAL tso  assertion reorder
 * verdict  -DF_SIGNAL pso  assertion reorder
 * verdict  -DF_SFENCE tso  assertion reorder
 * verdict  -DF_SFENCE pso  assertion reorder
 * verdict  -DF_LFENCE tso  assertion reorder
 * verdict  -DF_LFENCE pso  assertion reorder
 * verdict  -DF_MFENCE -DONE_SIDE tso  assertion reorder
 * verdict  -DF_MFENCE -DONE_SIDE pso  assertion reorder
 * verdict  -DPLAIN -DF_SEQ_CST tso  ok complete
 * verdict  -DPLAIN -DF_SEQ_CST pso  ok complete
 * verdict  -DVOLATILE -DF_MFENCE tso  ok complete
 * verdict  -DVOLATILE -DF_MFENCE pso  ok complete
 * verdict  -DMOV -DF_LOCK tso  ok complete
 * verdict  -DMOV -DF_LOCK pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x, y;

static void *a(void *arg)
{
	int r;

	W(&x, 1);
	F();
	r = R(&y);
	RETURN(r, 0, 0, 0);
}

static void *b(void *arg)
{
	int r;

	W(&y, 1);
#ifndef ONE_SIDE
	F();
#endif
	r = R(&x);
	RETURN(r, 0, 0, 0);
}

int main(void)
{
	uintptr_t r[2];

#if defined(ATOMIC_INIT)
	atomic_init(&x, 0);
	atomic_init(&y, 0);
#elif defined(STORE_INIT)
	W(&x, 0);
	W(&y, 0);
#endif
	RUN(r, a, b);
	assert(!(r[0] == 0 && r[1] == 0));
	return 0;
}
