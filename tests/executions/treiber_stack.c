/* SPDX-License-Identifier: ISC */
/* Treiber's stack. -DPUSH=N: threads that push one node; -DPOP=N: that pop one, if there is one;
 * -DBOTH=N: that push, then pop. No node is used twice.
 *
 * A thread whose compare-and-exchange failed starts again. Only a push that failed has written, its
 * own node's link; so all reads of the top are counted, including fruitless ones.
 *
 * counts -DPUSH=2 sc,tso,pso,ra,rc11 4
 * counts -DPUSH=3 sc,tso,pso,ra,rc11 60
 * counts -DPUSH=1 -DPOP=1 sc,tso,pso,ra,rc11 2
 * counts -DPUSH=1 -DPOP=2 sc,tso,pso,ra,rc11 5
 * counts -DPUSH=2 -DPOP=1 sc,tso,pso,ra,rc11 18
 * counts -DPUSH=2 -DPOP=2 sc,rc11 88
 * counts -O0 -DPUSH=2 -DPOP=2 rc11 88
 * counts -O2 -DPUSH=2 -DPOP=2 rc11 88
 * counts -DBOTH=2 sc,tso,pso,ra,rc11 22
 * counts-bench -DPUSH=3 -DPOP=2 rc11 6204
 * counts-bench -DBOTH=3 rc11 4812
 */
#include "counts.h"

#ifndef PUSH
#define PUSH 0
#endif
#ifndef POP
#define POP 0
#endif
#ifndef BOTH
#define BOTH 0
#endif

struct node {
	_Atomic(struct node *) next;
	int value;
} node[PUSH + BOTH];

_Atomic(struct node *) top;

static bool change_top(struct node *from, struct node *to)
{
	return atomic_compare_exchange_strong_explicit(&top, &from, to, ACQ_REL, RLX);
}

static NOINLINE bool try_push(struct node *n)
{
	struct node *old = load(&top, ACQ);

	store(&n->next, old, RLX);
	return change_top(old, n);
}

static void push(struct node *n)
{
	n->value = (int)(n - node) + 1;
	while (!try_push(n))
		;
}

static NOINLINE int try_pop(void)
{
	struct node *old, *next;

	old = load(&top, ACQ);
	if (!old)
		return 0;
	next = load(&old->next, RLX);
	if (change_top(old, next))
		return old->value;
	return AGAIN;
}

static int pop(void)
{
	int r;

	while ((r = try_pop()) == AGAIN)
		;
	return r;
}

THREAD(pusher)
{
	push(&node[INDEX]);
	return NULL;
}

THREAD(popper)
{
	RETURN(pop(), 0, 0, 0);
}

THREAD(both)
{
	push(&node[PUSH + INDEX]);
	RETURN(pop(), 0, 0, 0);
}

int main(void)
{
	start_many(pusher, PUSH);
	start_many(popper, POP);
	start_many(both, BOTH);
	join_all(NULL);
	return 0;
}
