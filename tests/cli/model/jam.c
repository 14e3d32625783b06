/* SPDX-License-Identifier: ISC */
/* Programs in which JAM21 and RC11 differ, or might: a NAME is defined; the table is in t_jam.sh. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define W(place, value, order) atomic_store_explicit(&place, value, memory_order_##order);
#define R(place, order)	       (void)atomic_load_explicit(&place, memory_order_##order);
#define F(order)	       atomic_thread_fence(memory_order_##order);

#if defined SB
#define ONE   W(x, 1, relaxed) R(y, relaxed)
#define TWO   W(y, 1, relaxed) R(x, relaxed)
#elif defined SB_scfs
#define ONE   W(x, 1, relaxed) F(seq_cst) R(y, relaxed)
#define TWO   W(y, 1, relaxed) F(seq_cst) R(x, relaxed)
#elif defined SB_4sc
#define ONE   W(x, 1, seq_cst) R(y, seq_cst)
#define TWO   W(y, 1, seq_cst) R(x, seq_cst)
#elif defined SB_3sc_rel
#define ONE   W(x, 1, release) R(y, seq_cst)
#define TWO   W(y, 1, seq_cst) R(x, seq_cst)
#elif defined SB_3sc_acq
#define ONE   W(x, 1, seq_cst) R(y, acquire)
#define TWO   W(y, 1, seq_cst) R(x, seq_cst)
#elif defined SB_2sc_scf
#define ONE   W(x, 1, seq_cst) R(y, seq_cst)
#define TWO   W(y, 1, relaxed) F(seq_cst) R(x, relaxed)
#elif defined SB_rfis
#define ONE   W(x, 1, release) R(x, seq_cst) R(y, seq_cst)
#define TWO   W(y, 1, release) R(y, seq_cst) R(x, seq_cst)
#elif defined MP_rel_acq
#define ONE   W(x, 1, relaxed) W(y, 1, release)
#define TWO   R(y, acquire) R(x, relaxed)
#elif defined MP_relf_acqf
#define ONE   W(x, 1, relaxed) F(release) W(y, 1, relaxed)
#define TWO   R(y, relaxed) F(acquire) R(x, relaxed)
#elif defined MP_relseq
#define ONE   W(x, 1, relaxed) W(y, 1, release) W(y, 2, relaxed)
#define TWO   R(y, acquire) R(x, relaxed)
#elif defined MP_rmw
#define ONE   W(x, 1, relaxed) W(y, 1, release)
#define TWO   (void)atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
#define THREE R(y, acquire) R(x, relaxed)
#elif defined ISA2_opq
#define ONE   W(x, 1, relaxed) W(y, 1, release)
#define TWO   R(y, relaxed) W(z, 1, release)
#define THREE R(z, acquire) R(x, relaxed)
#elif defined S_rel_acq
#define ONE   W(x, 2, relaxed) W(y, 1, release)
#define TWO   R(y, acquire) W(x, 1, relaxed)
#elif defined WW_4sc
#define ONE   W(x, 1, seq_cst) W(y, 2, seq_cst)
#define TWO   W(y, 1, seq_cst) W(x, 2, seq_cst)
#elif defined WW_scfs
#define ONE   W(x, 1, relaxed) F(seq_cst) W(y, 2, relaxed)
#define TWO   W(y, 1, relaxed) F(seq_cst) W(x, 2, relaxed)
#elif defined WW_2sc_scf
#define ONE   W(x, 1, seq_cst) W(y, 2, seq_cst)
#define TWO   W(y, 1, relaxed) F(seq_cst) W(x, 2, relaxed)
#elif defined W_RWC
#define ONE   W(x, 1, relaxed) W(z, 1, release)
#define TWO   R(z, acquire) F(seq_cst) R(y, relaxed)
#define THREE W(y, 1, relaxed) F(seq_cst) R(x, relaxed)
#elif defined peterZ
#define ONE   W(x, 1, relaxed) F(seq_cst) R(y, relaxed)
#define TWO   W(y, 1, relaxed) W(z, 1, release)
#define THREE R(z, acquire) F(seq_cst) R(x, relaxed)
#elif defined Z6_acq
#define ONE   W(x, 1, relaxed) F(seq_cst) W(y, 1, relaxed)
#define TWO   R(y, acquire) W(z, 1, relaxed)
#define THREE W(z, 2, relaxed) F(seq_cst) R(x, relaxed)
#elif defined RWC_syncs
#define ONE   W(x, 1, relaxed)
#define TWO   R(x, relaxed) F(seq_cst) R(y, relaxed)
#define THREE W(y, 1, relaxed) F(seq_cst) R(x, relaxed)
#elif defined IRIW_acq_sc
#define ONE   W(x, 1, seq_cst)
#define TWO   R(x, acquire) R(y, seq_cst)
#define THREE R(y, acquire) R(x, seq_cst)
#define FOUR  W(y, 1, seq_cst)
#elif defined IRIW
#define ONE   W(x, 1, seq_cst)
#define TWO   R(x, seq_cst) R(y, seq_cst)
#define THREE R(y, seq_cst) R(x, seq_cst)
#define FOUR  W(y, 1, seq_cst)
#elif defined volatile_non_sc
#define ONE   W(y, 2, seq_cst) R(x, seq_cst)
#define TWO   W(x, 1, seq_cst)
#define THREE R(x, seq_cst) W(y, 1, seq_cst)
#define FOUR  R(y, seq_cst) R(y, seq_cst)
#elif defined one_thread
#define ONE   W(x, 1, seq_cst) R(x, seq_cst) R(y, seq_cst)
#endif
#ifndef TWO
#define TWO
#endif
#ifndef THREE
#define THREE
#endif
#ifndef FOUR
#define FOUR
#endif

static atomic_int x, y, z;

static void *one(void *arg)
{
	ONE return arg;
}

static void *two(void *arg)
{
	TWO return arg;
}

static void *three(void *arg)
{
	THREE return arg;
}

static void *four(void *arg)
{
	FOUR return arg;
}

int main(void)
{
	void *(*const routine[])(void *) = {one, two, three, four};
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, routine[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	printf("%d %d %d\n", x, y, z); /* the order of all stores is observed */
	return 0;
}
