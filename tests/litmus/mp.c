/* SPDX-License-Identifier: ISC */
/* MP - message passing: x=1; y=1 with r=y(1); r=x(0).
 *
 * Added by PSO: a store overtakes an older one to another place. A store-store fence or a
 * release
 * store of the flag forbids it. Loads never overtake loads here.
 *
 * verdict  sc   ok complete
 * verdict  tso  ok complete
 * verdict  pso  assertion reorder
 * verdict  -DATOMIC_INIT tso  ok complete
 * verdict  -DATOMIC_INIT pso  assertion reorder
 * verdict  -DSTORE_INIT tso  ok complete
 * verdict  -DSTORE_INIT pso  assertion reorder
 * verdict  -DPLAIN tso  ok complete
 * verdict  -DPLAIN pso  assertion reorder
 * verdict  -DVOLATILE tso  ok complete
 * verdict  -DVOLATILE pso  assertion reorder
 * verdict  -DMOV tso  ok complete
 * verdict  -DMOV pso  assertion reorder
 * verdict  -DRELEASE tso  ok complete
 * verdict  -DRELEASE pso  ok complete
 * verdict  -DSEQ_CST tso  ok complete
 * verdict  -DSEQ_CST pso  ok complete
 * verdict  -DXCHG tso  ok complete
 * verdict  -DXCHG pso  ok complete
 * verdict  -DF_SEQ_CST tso  ok complete
 * verdict  -DF_SEQ_CST pso  ok complete
 * verdict  -DF_ACQ_REL tso  ok complete
 * verdict  -DF_ACQ_REL pso  ok complete
 * verdict  -DF_RELEASE tso  ok complete
 * verdict  -DF_RELEASE pso  ok complete
 * verdict  -DF_MFENCE tso  ok complete
 * verdict  -DF_MFENCE pso  ok complete
 * verdict  -DF_SFENCE tso  ok complete
 * verdict  -DF_SFENCE pso  ok complete
 * verdict  -DF_LOCK tso  ok complete
 * verdict  -DF_LOCK pso  ok complete
 * verdict  -DF_RMW tso  ok complete
 * verdict  -DF_RMW pso  ok complete
 * verdict  -DF_CAS_FAILS tso  ok complete
 * verdict  -DF_CAS_FAILS pso  ok complete
 * verdict  -DF_MUTEX tso  ok complete
 * verdict  -DF_MUTEX pso  ok complete
 * verdict  -DF_ACQUIRE tso  ok complete
 * verdict  -DF_ACQUIRE pso  assertion reorder
 * verdict  -DF_SIGNAL tso  ok complete
 * verdict  -DF_SIGNAL pso  assertion reorder
 * verdict  -DF_LFENCE tso  ok complete
 * verdict  -DF_LFENCE pso  assertion reorder
 * verdict  -DPLAIN -DF_RELEASE tso  ok complete
 * verdict  -DPLAIN -DF_RELEASE pso  ok complete
 * verdict  -DMOV -DF_SFENCE tso  ok complete
 * verdict  -DMOV -DF_SFENCE pso  ok complete
 * verdict  -DVOLATILE -DF_RELEASE tso  ok complete
 * verdict  -DVOLATILE -DF_RELEASE pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x, y;

static void *a(void *arg)
{
	W(&x, 1);
	F();
	W(&y, 1);
	RETURN(0, 0, 0, 0);
}

static void *b(void *arg)
{
	int r0 = R(&y);
	int r1 = R(&x);

	RETURN(r0, r1, 0, 0);
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
	assert(!(GET(r[1], 0) == 1 && GET(r[1], 1) == 0));
	return 0;
}
