/* SPDX-License-Identifier: ISC */
/*
 * deque.h - the operations of Chase and Lev's deque of tests/relax, for heddle generate. An item is
 * the number of a plain variable, as a pointer to a task would be.
 */
#define main its_client
#include "../../relax/chase_lev.c"
#include <heddle/generate.h>

static int task[40];

static void give(int v)
{
	task[v] = v;
	push(v);
}

static int64_t result(int v)
{
	return v == EMPTY ? HEDDLE_EMPTY : v == ABORT ? HEDDLE_ABORT : task[v];
}

HEDDLE_SPECIFICATION(deque)
HEDDLE_BEFORE(push: give(new), push: give(new))
HEDDLE_THREAD(push: give(new), pop: result(take()))
HEDDLE_THREADS(steal: result(steal()))
HEDDLE_AFTER(steal: result(steal()))
