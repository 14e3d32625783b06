/* SPDX-License-Identifier: ISC */
/*
 * named.c - litmus programs with the number of their executions, by hand or from the literature.
 *
 * Literature: Kokologiannakis 2023 (model/graph.h), chapters 5 and 6. RC11: relaxed accesses.
 */
#include "graph_program.h"

#define OP(k, l, v, o, f) \
	{ \
		.kind = (k), .place = (l), .value = (v), .order = (o), .fail = (f), .source = -1, \
		.guard = -1 \
	}
#define R(l, o)	   OP(GP_LOAD, l, 0, o, 0)
#define W(l, v, o) OP(GP_STORE, l, v, o, 0)
#define PLAIN_W(l, v) OP(GP_PLAIN_STORE, l, v, 0, 0)
#define ADD(l, o)  OP(GP_ADD, l, 1, o, 0)
#define FENCE(o)   OP(GP_FENCE, 0, 0, o, 0)
#define CAS(l, from, to, o, f) \
	{ \
		.kind = GP_CAS, .place = (l), .value = (to), .expected = (from), .order = (o), \
		.fail = (f), .source = -1, .guard = -1 \
	}
#define WEAK_CAS(l, from, to, o, f) \
	{ \
		.kind = GP_WEAK_CAS, .place = (l), .value = (to), .expected = (from), \
		.order = (o), .fail = (f), .source = -1, .guard = -1 \
	}
#define WHEN(r, k, l, v, o) \
	{ \
		.kind = (k), .place = (l), .value = (v), .order = (o), .source = -1, .guard = (r), \
		.guard_value = 0 \
	}
/* k on the lock, if register r is g. */
#define LOCKED_IF(r, g, k, v) \
	{ \
		.kind = (k), .place = GP_MEMORY, .value = (v), .source = -1, .guard = (r), \
		.guard_value = (g) \
	}
#define UNLOCK_IF_TAKEN(r) LOCKED_IF(r, 1, GP_UNLOCK, 0)
#define ONCE_DONE_IF(r)	   LOCKED_IF(r, 1, GP_ONCE_DONE, 0)
#define TIMEDLOCK \
	{ \
		.kind = GP_TRYLOCK, .place = GP_MEMORY, .source = -1, .guard = -1, .timed = true \
	}
#define LOCKED(k)      OP(k, GP_MEMORY, 0, 0, 0)
#define LOCKED_N(k)    OP(k, GP_MEMORY + 1, 0, 0, 0)
#define WIDE_CAS(l, from, to, o, f) \
	{ \
		.kind = GP_CAS, .place = (l), .value = (to), .expected = (from), .order = (o), \
		.fail = (f), .source = -1, .guard = -1, .pieces = 2 \
	}
#define WIDE_STORE(l, v, o) \
	{ \
		.kind = GP_STORE, .place = (l), .value = (v), .order = (o), .source = -1, \
		.guard = -1, .pieces = 3 \
	}
#define AWAIT(l, v, o) OP(GP_AWAIT, l, v, o, 0)
#define AWAIT_ANY(l, v, o) OP(GP_AWAIT_ANY, l, v, o, 0) /* of l and the one after it */

enum { X, Y, Z, P };

static const struct gp_named named[] = {
	{{"MP", 2, 2, {2, 2}, {{W(X, 1, RLX), W(Y, 1, RLX)}, {R(Y, RLX), R(X, RLX)}}, 0},
		{3, 3, 4, 3, 3, 4}, 3},
	/* The writer sees its store before others can. */
	{{"MP own read", 2, 2, {3, 2},
		 {{W(X, 1, RLX), R(X, RLX), W(Y, 1, RLX)}, {R(Y, RLX), R(X, RLX)}}, 0},
		{3, 3, 4, 3, 3, 4}, 3},
	/* Nor has it reached memory when a later store has, which another thread depends on. */
	{{"MP overtaken", 3, 2, {2, 2, 2},
		 {{W(X, 1, RLX), W(Y, 1, RLX)}, {R(Y, RLX), W(X, 2, RLX)}, {R(X, RLX), R(X, RLX)}},
		 0},
		{18, 18, 24, 18, 18, 24}, 13},
	{{"MP release acquire", 2, 2, {2, 2},
		 {{W(X, 1, RLX), W(Y, 1, REL)}, {R(Y, ACQ), R(X, RLX)}}, 0},
		{3, 3, 3, 3, 3, 3}, 3},
	{{"MP fences", 2, 2, {3, 3},
		 {{W(X, 1, RLX), FENCE(REL), W(Y, 1, RLX)}, {R(Y, RLX), FENCE(ACQ), R(X, RLX)}}, 0},
		{3, 3, 3, 3, 3, 3}, 3},
	{{"SB", 2, 2, {2, 2}, {{W(X, 1, RLX), R(Y, RLX)}, {W(Y, 1, RLX), R(X, RLX)}}, 0},
		{3, 4, 4, 4, 4, 4}, 3},
	{{"SB sc", 2, 2, {2, 2}, {{W(X, 1, SEQ), R(Y, SEQ)}, {W(Y, 1, SEQ), R(X, SEQ)}}, 0},
		{3, 3, 3, 4, 4, 3}, 3},
	{{"SB fences", 2, 2, {3, 3},
		 {{W(X, 1, RLX), FENCE(SEQ), R(Y, RLX)}, {W(Y, 1, RLX), FENCE(SEQ), R(X, RLX)}}, 0},
		{3, 3, 3, 4, 4, 3}, 3},
	{{"SB rmw", 2, 4, {3, 3},
		 {{W(X, 1, RLX), ADD(Z, RLX), R(Y, RLX)}, {W(Y, 1, RLX), ADD(P, RLX), R(X, RLX)}},
		 0},
		{3, 3, 3, 4, 4, 4}, 3},
	{{"LB", 2, 2, {2, 2}, {{R(Y, RLX), W(X, 1, RLX)}, {R(X, RLX), W(Y, 1, RLX)}}, 0},
		{3, 3, 3, 3, 3, 3}, 3},
	{{"IRIW", 4, 2, {1, 1, 2, 2},
		 {{W(X, 1, RLX)}, {W(Y, 1, RLX)}, {R(X, RLX), R(Y, RLX)}, {R(Y, RLX), R(X, RLX)}},
		 0},
		{15, 15, 15, 16, 16, 16}, 15},
	{{"IRIW sc", 4, 2, {1, 1, 2, 2},
		 {{W(X, 1, SEQ)}, {W(Y, 1, SEQ)}, {R(X, SEQ), R(Y, SEQ)}, {R(Y, SEQ), R(X, SEQ)}},
		 0},
		{15, 15, 15, 16, 16, 15}, 15},
	{{"2+2W", 2, 2, {2, 2}, {{W(X, 1, RLX), W(Y, 2, RLX)}, {W(Y, 1, RLX), W(X, 2, RLX)}}, 0},
		{3, 3, 4, 3, 4, 4}, 1},
	{{"2+2W sc", 2, 2, {2, 2}, {{W(X, 1, SEQ), W(Y, 2, SEQ)}, {W(Y, 1, SEQ), W(X, 2, SEQ)}}, 0},
		{3, 3, 3, 3, 4, 3}, 1},
	{{"w+rw+w", 3, 2, {1, 2, 1},
		 {{W(X, 1, RLX)}, {R(X, RLX), WHEN(0, GP_STORE, Y, 1, RLX)}, {W(X, 2, RLX)}}, 0},
		{6, 6, 6, 6, 6, 6}, 3},
	{{"rr+w+w", 3, 2, {2, 1, 1}, {{R(X, RLX), R(Y, RLX)}, {W(Y, 1, RLX)}, {W(X, 1, RLX)}}, 0},
		{4, 4, 4, 4, 4, 4}, 4},
	{{"r+w+w", 3, 1, {1, 1, 1}, {{R(X, RLX)}, {W(X, 1, RLX)}, {W(X, 2, RLX)}}, 0},
		{6, 6, 6, 6, 6, 6}, 3},
	{{"r+ww", 2, 1, {1, 2}, {{R(X, RLX)}, {W(X, 1, RLX), W(X, 2, RLX)}}, 0}, {3, 3, 3, 3, 3, 3},
		3},
	{{"w+w", 2, 1, {1, 1}, {{W(X, 1, RLX)}, {W(X, 2, RLX)}}, 0}, {2, 2, 2, 2, 2, 2}, 1},
	{{"RMW w", 2, 1, {1, 1}, {{ADD(X, RLX)}, {W(X, 2, RLX)}}, 0}, {2, 2, 2, 2, 2, 2}, 2},
	{{"ainc(2)", 2, 1, {1, 1}, {{ADD(X, RLX)}, {ADD(X, RLX)}}, 0}, {2, 2, 2, 2, 2, 2}, 2},
	{{"ainc(3)", 3, 1, {1, 1, 1}, {{ADD(X, RLX)}, {ADD(X, RLX)}, {ADD(X, RLX)}}, 0},
		{6, 6, 6, 6, 6, 6}, 6},
	{{"ainc(4)", 4, 1, {1, 1, 1, 1},
		 {{ADD(X, RLX)}, {ADD(X, RLX)}, {ADD(X, RLX)}, {ADD(X, RLX)}}, 0},
		{24, 24, 24, 24, 24, 24}, 24},
	/* The order in x and the order in y: RC11 does not require them to be the same. RMWs of TSO
	 * and PSO are full fences; in RA, each acquires what the other has released. */
	{{"binc(2)", 2, 2, {2, 2}, {{ADD(X, RLX), ADD(Y, RLX)}, {ADD(X, RLX), ADD(Y, RLX)}}, 0},
		{4, 4, 4, 4, 4, 4}, 4},
	{{"binc(3)", 3, 2, {2, 2, 2},
		 {{ADD(X, RLX), ADD(Y, RLX)}, {ADD(X, RLX), ADD(Y, RLX)},
			 {ADD(X, RLX), ADD(Y, RLX)}},
		 0},
		{36, 36, 36, 36, 36, 36}, 36},
	{{"nwrites-loc(4)", 4, 1, {1, 1, 1, 1},
		 {{W(X, 1, RLX)}, {W(X, 2, RLX)}, {W(X, 3, RLX)}, {W(X, 4, RLX)}}, 0},
		{24, 24, 24, 24, 24, 24}, 1},
	{{"nwrites(4)", 4, 4, {1, 1, 1, 1},
		 {{W(X, 1, RLX)}, {W(Y, 1, RLX)}, {W(Z, 1, RLX)}, {W(P, 1, RLX)}}, 0},
		{1, 1, 1, 1, 1, 1}, 1},
	{{"readers(5)", 6, 1, {1, 1, 1, 1, 1, 1},
		 {{W(X, 1, RLX)}, {R(X, RLX)}, {R(X, RLX)}, {R(X, RLX)}, {R(X, RLX)}, {R(X, RLX)}},
		 0},
		{32, 32, 32, 32, 32, 32}, 32},
	/* A failed CAS reads with its failure order. If that is relaxed, nothing keeps the load of
	   x. */
	{{"MP failed cas", 2, 2, {2, 2},
		 {{W(X, 1, RLX), W(Y, 1, REL)}, {CAS(Y, 2, 3, ACQ, RLX), R(X, RLX)}}, 0},
		{3, 3, 3, 3, 3, 4}, 3},
	{{"MP failed cas acquire", 2, 2, {2, 2},
		 {{W(X, 1, RLX), W(Y, 1, REL)}, {CAS(Y, 2, 3, RLX, ACQ), R(X, RLX)}}, 0},
		{3, 3, 3, 3, 3, 3}, 3},
	/* It is a full barrier of the hardware's. */
	{{"SB failed cas", 2, 4, {3, 3},
		 {{W(X, 1, RLX), CAS(Z, 1, 2, RLX, RLX), R(Y, RLX)},
			 {W(Y, 1, RLX), CAS(P, 1, 2, RLX, RLX), R(X, RLX)}},
		 0},
		{3, 3, 3, 4, 4, 4}, 3},
	/* It may fail spuriously where psc forbids success. */
	{{"SB weak cas", 2, 2, {2, 2},
		 {{W(Y, 1, SEQ), R(X, SEQ)}, {W(X, 1, SEQ), WEAK_CAS(Y, 0, 2, SEQ, RLX)}}, 1},
		{4, 4, 4, 6, 6, 5}, 4},
	/* One of two weak CASes may fail spuriously: 3 * 2 - 1. */
	{{"weak cas, weak cas", 2, 2, {1, 2},
		 {{WEAK_CAS(X, 1, 2, RLX, RLX)}, {WEAK_CAS(Y, 0, 1, RLX, RLX), W(X, 1, RLX)}}, 1},
		{5, 5, 5, 5, 5, 5}, 5},
	{{"lock(3)", 3, 1, {2, 2, 2},
		 {{LOCKED(GP_LOCK), LOCKED(GP_UNLOCK)}, {LOCKED(GP_LOCK), LOCKED(GP_UNLOCK)},
			 {LOCKED(GP_LOCK), LOCKED(GP_UNLOCK)}},
		 0},
		{6, 6, 6, 6, 6, 6}, 6},
	/* Seeing x change from 2 to 1 fixes the order of the writes of y, by psc alone: the reads
	 * are relaxed. */
	{{"2+2W sc, seen", 4, 2, {2, 2, 2, 2},
		 {{W(X, 1, SEQ), W(Y, 2, SEQ)}, {W(Y, 1, SEQ), W(X, 2, SEQ)},
			 {R(X, RLX), R(X, RLX)}, {R(Y, RLX), R(Y, RLX)}},
		 0},
		{108, 108, 108, 108, 144, 108}, 48},
	/* By reads-from: T2's lock of n, before T1's, has T4's store before T1's; so must the read
	 * of an RMW whose source is taken be consistent. */
	{{"lock, lock, RMW", 4, 1, {4, 4, 3, 3},
		 {{LOCKED_N(GP_LOCK), W(X, 1, RLX), CAS(X, 1, 1, RLX, RLX), LOCKED_N(GP_UNLOCK)},
			 {LOCKED(GP_LOCK), LOCKED_N(GP_LOCK), LOCKED_N(GP_UNLOCK),
				 LOCKED(GP_UNLOCK)},
			 {LOCKED(GP_LOCK), R(X, RLX), LOCKED(GP_UNLOCK)},
			 {LOCKED(GP_LOCK), W(X, 2, RLX), LOCKED(GP_UNLOCK)}},
		 0},
		{38, 38, 38, 38, 38, 38}, 33},
	/* The attempt comes after a lock that had to wait, and before that is revisited. */
	{{"lock, trylock", 3, 1, {3, 2, 3},
		 {{R(X, RLX), LOCKED(GP_LOCK), LOCKED(GP_UNLOCK)},
			 {LOCKED(GP_TRYLOCK), UNLOCK_IF_TAKEN(0)},
			 {LOCKED(GP_LOCK), LOCKED(GP_UNLOCK), W(X, 1, RLX)}},
		 0},
		{15, 15, 15, 15, 15, 15}, 15},
	/* By reads-from, threads backwards: T1 initialises in place of T4, and T4 displaces it;
	 * T2's read is canonical for what is kept, whether or not T3 is there. */
	{{"once, sc", 4, 1, {3, 3, 2, 3},
		 {{LOCKED(GP_ONCE), ONCE_DONE_IF(0), W(X, 1, SEQ)},
			 {CAS(X, 0, 2, RLX, SEQ), LOCKED(GP_ONCE), ONCE_DONE_IF(1)},
			 {LOCKED(GP_ONCE), ONCE_DONE_IF(0)},
			 {W(X, 1, SEQ), LOCKED(GP_ONCE), ONCE_DONE_IF(1)}},
		 0},
		{18, 18, 18, 18, 18, 18}, 11},
	/* A mutex that is not recoverable does not let an attempt time out. */
	{{"robust, timed", 3, 1, {3, 3, 2},
		 {{LOCKED(GP_LOCK), UNLOCK_IF_TAKEN(0), LOCKED_IF(0, GP_OWNER_DIED, GP_UNLOCK, 1)},
			 {TIMEDLOCK, UNLOCK_IF_TAKEN(0),
				 LOCKED_IF(0, GP_OWNER_DIED, GP_UNLOCK, 0)},
			 {LOCKED(GP_LOCK), LOCKED_IF(0, 1, GP_DIE, 0)}},
		 0},
		{10, 10, 10, 10, 10, 10}, 10},
	{{"await", 2, 1, {1, 2}, {{W(X, 1, RLX)}, {AWAIT(X, 1, RLX), W(X, 2, RLX)}}, 0},
		{1, 1, 1, 1, 1, 1}, 1},
	/* A reader of an older value than the release races with the plain store before it. */
	{{"plain, release", 2, 1, {2, 1}, {{PLAIN_W(X, 1), W(X, 2, REL)}, {R(X, ACQ)}}, 0},
		{3, 3, 3, 3, 3, 3}, 3},
	/* A fruitless iteration has read both; it waits for ever if neither is written again. */
	{{"await any", 2, 2, {2, 2},
		 {{W(X, 2, RLX), W(Y, 1, RLX)}, {W(Y, 2, RLX), AWAIT_ANY(X, 2, RLX)}}, 0},
		{3, 4, 4, 4, 4, 4}, 2},
	/* T2 acquires only if it succeeds; so it cannot have read x from T3 and y from T1. */
	{{"wide cas", 3, 2, {2, 1, 2},
		 {{W(X, 2, RLX), W(Y, 1, REL)}, {WIDE_CAS(X, 1, 1, ACQ, RLX)},
			 {CAS(X, 0, 1, RLX, RLX), OP(GP_XCHG, Y, 1, RLX, 0)}},
		 0, .mixed = true},
		{19, 19, 19, 19, 19, 27}, 19},
	/* T3 is of psc only if it succeeds. */
	{{"wide cas, fails", 3, 3, {1, 1, 2},
		 {{CAS(Z, 0, 1, RLX, RLX)}, {WIDE_STORE(X, 2, SEQ)},
			 {W(X, 2, SEQ), WIDE_CAS(Y, 0, 2, SEQ, RLX)}},
		 0, .mixed = true},
		{7, 7, 7, 8, 10, 8}, 5},
};

const struct gp_named *gprogram_named(int i)
{
	return i < (int)(sizeof named / sizeof *named) ? &named[i] : NULL;
}
