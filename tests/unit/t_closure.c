/* SPDX-License-Identifier: ISC */
/*
 * t_closure.c - instances that the closure alone has to refute
 * (verify/verify_closure.c): the search would refute them as well, with the same answer.
 */
#include "model/model.h"
#include "verify/verify.h"

#include "unit.h"

#include <stdlib.h>

#define MEMORY ((size_t)1 << 20)

static struct verify verify;

enum { X, P, S, FLAGS /* one for each thread */ };

static u16 fence; /* behind each store of the writers; 0: none */

static u32 push_write(u32 thread, u32 loc)
{
	u32 w = verify_push(&verify, thread, loc, E_WRITE);

	if (fence)
		verify_push(&verify, thread, 0, fence);
	return w;
}

/* The thread sees the flag, which follows its thread's stores, then reads w. */
static void push_reader(u32 thread, u32 writer, u32 flag, u32 loc, u32 w)
{
	verify_source(&verify, verify_push(&verify, thread, FLAGS + writer, E_READ), flag);
	verify_source(&verify, verify_push(&verify, thread, loc, E_READ), w);
}

static void refuted(void)
{
	verify.way = VERIFY_NO_PROBE;
	CU_ASSERT_EQUAL(verify_decide(&verify), VERIFY_NO);
	CU_ASSERT_EQUAL(verify.stage, VERIFY_BY_CLOSURE);
	verify.way = VERIFY_NO_PROBE | VERIFY_NO_CLOSURE;
	CU_ASSERT_EQUAL(verify_decide(&verify), VERIFY_NO);
}

/* Two stores to x: one reader sees them in the one order, one in the other. */
static void crossed(enum model_id m, u16 between)
{
	u32 v, w, after_v, after_w;

	fence = between;
	verify_begin(&verify, model_of(m)->buffers);
	v = push_write(0, X);
	after_v = push_write(0, FLAGS + 0);
	w = push_write(1, X);
	after_w = push_write(1, FLAGS + 1);
	push_reader(2, 0, after_v, X, w);
	verify.way = 0;
	CU_ASSERT_EQUAL(verify_decide(&verify), VERIFY_YES);
	push_reader(3, 1, after_w, X, v);
	refuted();
}

/*
 * T2 sees T1's x before T0's. So T1's p is visible to T3, which sees T0's x: as T3 reads T4's p,
 * that one is later. So T1's s is visible to T5, which sees T4's p: as T5 reads T6's s, that one is
 * later. T7 sees it as earlier.
 */
static void chained(enum model_id m, u16 between)
{
	u32 s1, s6, p4, x0, flag[7];

	fence = between;
	verify_begin(&verify, model_of(m)->buffers);
	x0 = push_write(0, X);
	flag[0] = push_write(0, FLAGS + 0);
	s1 = push_write(1, S);
	push_write(1, P);
	push_write(1, X);
	flag[1] = push_write(1, FLAGS + 1);
	p4 = push_write(4, P);
	flag[4] = push_write(4, FLAGS + 4);
	s6 = push_write(6, S);
	flag[6] = push_write(6, FLAGS + 6);
	push_reader(2, 1, flag[1], X, x0);
	push_reader(3, 0, flag[0], P, p4);
	push_reader(5, 4, flag[4], S, s6);
	push_reader(7, 6, flag[6], S, s1);
	refuted();
}

/* Crossed again: a reader knows of the store, as it sees a value that the store's thread, after a
 * fence, has not seen. */
static void behind_fences(enum model_id m)
{
	u32 v, w, y, z;

	fence = E_FENCE | E_FULL;
	verify_begin(&verify, model_of(m)->buffers);
	v = push_write(0, X);
	verify_push(&verify, 0, P, E_READ);
	w = push_write(1, X);
	verify_push(&verify, 1, S, E_READ);
	y = verify_push(&verify, 2, P, E_WRITE);
	z = verify_push(&verify, 3, S, E_WRITE);
	verify_source(&verify, verify_push(&verify, 4, P, E_READ), y);
	verify_source(&verify, verify_push(&verify, 4, X, E_READ), w);
	verify_source(&verify, verify_push(&verify, 5, S, E_READ), z);
	verify_source(&verify, verify_push(&verify, 5, X, E_READ), v);
	refuted();
}

/* Direct and indirect consequences of sources, by the order of stores, fences, store
 * fences. */
static void all_orders(void)
{
	void *memory;

	memory = aligned_alloc(64, MEMORY);
	CU_ASSERT_FATAL(memory != NULL);
	verify_init(&verify, memory, MEMORY, 60, 8, FLAGS + 8);
	crossed(MODEL_SC, 0);
	crossed(MODEL_TSO, 0);
	crossed(MODEL_PSO, E_FENCE | E_FULL);
	crossed(MODEL_PSO, E_FENCE | E_STORES);
	chained(MODEL_SC, 0);
	chained(MODEL_TSO, 0);
	chained(MODEL_PSO, E_FENCE | E_FULL);
	chained(MODEL_PSO, E_FENCE | E_STORES);
	behind_fences(MODEL_TSO);
	behind_fences(MODEL_PSO);
	free(memory);
}

const struct unit_test closure_tests[] = {
	{"what follows from what is seen", all_orders},
	{NULL, NULL},
};
