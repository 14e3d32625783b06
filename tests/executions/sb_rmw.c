/* SPDX-License-Identifier: ISC */
/* SB with RMWs. -DSTORES: in place of the stores; on hardware that is as good as a fence, in RC11
 * only a seq_cst order is. -DLOADS: x.fetch_add() in place of the loads: in C an RMW may still
 * stand before the store in the coherence order of both variables. -DBETWEEN: of a variable of its
 * own. -DFAILED: a CAS that fails between them: a full fence on x86, nothing in C.
 *
 * counts -DSTORES sc,tso,pso 3
 * counts -DSTORES ra,rc11 4
 * counts -DSTORES -DORDER=SC sc,tso,pso,rc11 3
 * counts -DSTORES -DORDER=SC ra 4
 * counts -DLOADS sc,tso,pso 3
 * counts -DLOADS ra,rc11 4
 * counts -DBETWEEN sc,tso,pso 3
 * counts -DBETWEEN ra,rc11 4
 * counts -DFAILED sc,tso,pso 3
 * counts -DFAILED ra,rc11 4
 */
#include "counts.h"

#ifndef ORDER
#define ORDER RLX
#endif

atomic_int x[2], own[2];

THREAD(thread)
{
	int r, s = 0;

#ifdef STORES
	s = add(&x[INDEX], 1, ORDER);
#else
	store(&x[INDEX], 1, ORDER);
#endif
#if defined(BETWEEN)
	s = add(&own[INDEX], 1, ORDER);
#elif defined(FAILED)
	s = cas(&own[INDEX], 1, 2, ORDER);
#endif
#ifdef LOADS
	r = add(&x[1 - INDEX], 2, ORDER); /* not 0: clang makes that a load */
#else
	r = load(&x[1 - INDEX], ORDER);
#endif
	RETURN(r, s, 0, 0);
}

int main(void)
{
	start_many(thread, 2);
	join_all(NULL);
	return 0;
}
