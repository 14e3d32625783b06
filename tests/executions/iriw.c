/* SPDX-License-Identifier: ISC */
/* IRIW - independent reads of independent writes: two readers that see two stores in opposite
 * orders are the sixteenth execution. Hardware with one memory has no such thing: TSO and PSO never
 * do; release/acquire does, and RC11 unless all accesses, or fences between the loads, are seq_cst.
 *
 * counts sc,tso,pso 15
 * counts ra,rc11 16
 * counts -DSTORE=REL -DLOAD=ACQ sc,tso,pso 15
 * counts -DSTORE=REL -DLOAD=ACQ ra,rc11 16
 * counts -DSTORE=SC -DLOAD=ACQ sc,tso,pso 15
 * counts -DSTORE=SC -DLOAD=ACQ ra,rc11 16
 * counts -DSTORE=REL -DLOAD=SC sc,tso,pso 15
 * counts -DSTORE=REL -DLOAD=SC ra,rc11 16
 * counts -DSTORE=SC -DLOAD=SC sc,tso,pso,rc11 15
 * counts -DSTORE=SC -DLOAD=SC ra 16
 * counts -DFENCE=SC sc,tso,pso,rc11 15
 * counts -DFENCE=SC ra 16
 * counts -DSTORE=SC -DLOAD=ACQ -DLOAD_LAST=SC sc,tso,pso 15
 * counts -DSTORE=SC -DLOAD=ACQ -DLOAD_LAST=SC ra,rc11 16
 */
#include "counts.h"

#ifndef STORE
#define STORE RLX
#endif
#ifndef LOAD
#define LOAD RLX
#endif
#ifndef LOAD_LAST
#define LOAD_LAST LOAD
#endif
#ifndef FENCE
#define FENCE RLX /* no fence */
#endif

atomic_int x[2];

THREAD(writer)
{
	store(&x[INDEX], 1, STORE);
	return NULL;
}

THREAD(reader)
{
	int r0, r1;

	r0 = load(&x[INDEX], LOAD);
	fence(FENCE);
	r1 = load(&x[1 - INDEX], LOAD_LAST);
	RETURN(r0, r1, 0, 0);
}

int main(void)
{
	start_many(writer, 2);
	start_many(reader, 2);
	join_all(NULL);
	return 0;
}
