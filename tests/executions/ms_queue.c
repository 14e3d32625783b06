/* SPDX-License-Identifier: ISC */
/* Michael and Scott's queue (1996), without reuse of nodes. -DPUT=N: threads that enqueue one;
 * -DTAKE=N: that dequeue one, if there is one; -DBOTH=N: that enqueue, then dequeue.
 *
 * counts -DPUT=2 sc,tso,pso,ra,rc11 6
 * counts -DPUT=1 -DTAKE=1 sc,tso,pso,ra,rc11 3
 * counts -DPUT=2 -DTAKE=1 sc,tso,pso,ra,rc11 26
 * counts -DPUT=1 -DTAKE=2 sc,tso,pso,ra,rc11 11
 * counts -DBOTH=2 sc,tso,pso,ra,rc11 16
 * counts -DPUT=2 -DTAKE=2 sc,rc11 158
 * counts -O0 -DPUT=2 -DTAKE=2 rc11 158
 * counts -O2 -DPUT=2 -DTAKE=2 rc11 158
 * counts-bench -DPUT=3 rc11 126
 * counts-bench -DPUT=3 -DTAKE=1 rc11 666
 * counts-bench -DPUT=4 rc11 6552
 * counts-bench -DBOTH=3 rc11 1368
 * counts-rf -DPUT=2 -DTAKE=1 sc,tso,pso,ra,rc11 26
 */
#include "counts.h"

#ifndef PUT
#define PUT 0
#endif
#ifndef TAKE
#define TAKE 0
#endif
#ifndef BOTH
#define BOTH 0
#endif

struct node {
	_Atomic(struct node *) next;
	int value;
} node[PUT + BOTH + 1];

_Atomic(struct node *) head = &node[PUT + BOTH];
_Atomic(struct node *) tail = &node[PUT + BOTH];

static bool change(_Atomic(struct node *) *p, struct node *from, struct node *to)
{
	return atomic_compare_exchange_strong_explicit(p, &from, to, ACQ_REL, ACQ);
}

/* True: enqueued; AGAIN. */
static NOINLINE int try_enqueue(struct node *n)
{
	struct node *last = load(&tail, ACQ);
	struct node *next = load(&last->next, ACQ);

	if (last != load(&tail, ACQ))
		return AGAIN;
	if (next) {
		if (change(&tail, last, next))
			return AGAIN;
	} else if (change(&last->next, NULL, n)) {
		change(&tail, last, n);
		return true;
	}
	return AGAIN;
}

static void enqueue(struct node *n)
{
	n->value = (int)(n - node) + 1;
	while (try_enqueue(n) == AGAIN)
		;
}

/* The number; 0: empty; AGAIN. */
static NOINLINE int try_dequeue(void)
{
	struct node *first = load(&head, ACQ);
	struct node *last = load(&tail, ACQ);
	struct node *next = load(&first->next, ACQ);

	if (first != load(&head, ACQ))
		return AGAIN;
	if (!next)
		return 0;
	if (first == last) {
		if (change(&tail, last, next))
			return AGAIN;
	} else if (change(&head, first, next)) {
		return next->value;
	}
	return AGAIN;
}

static int dequeue(void)
{
	int r;

	while ((r = try_dequeue()) == AGAIN)
		;
	return r;
}

THREAD(put)
{
	enqueue(&node[INDEX]);
	return NULL;
}

THREAD(get)
{
	RETURN(dequeue(), 0, 0, 0);
}

THREAD(both)
{
	enqueue(&node[PUT + INDEX]);
	RETURN(dequeue(), 0, 0, 0);
}

int main(void)
{
	start_many(put, PUT);
	start_many(get, TAKE);
	start_many(both, BOTH);
	join_all(NULL);
	return 0;
}
