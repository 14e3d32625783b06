/* SPDX-License-Identifier: ISC */
/* MCS lock: a queue of waiting threads, each of which spins on a place of its own.
 *
 * The order in the queue, and how a thread that leaves learns of its successor: it finds the link,
 * or fails to take the lock out of the queue, and waits for the link.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 6
 * counts -DN=3 sc,tso,pso,ra,rc11 66
 * counts -DN=4 sc,rc11 1080
 * counts-bench -DN=4 sc,tso,pso,ra,rc11 1080
 * counts-bench -DN=5 rc11 23640
 */
#include "counts.h"

struct node {
	_Atomic(struct node *) next;
	atomic_int locked;
} node[N];

_Atomic(struct node *) tail;
int inside;

static bool take_out(struct node *me)
{
	struct node *expected = me;

	return atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, REL, RLX);
}

THREAD(thread)
{
	struct node *me = &node[INDEX], *other;

	store(&me->locked, 1, RLX);
	store(&me->next, NULL, RLX);
	other = swap(&tail, me, ACQ_REL);
	if (other) {
		store(&other->next, me, REL);
		while (load(&me->locked, ACQ))
			;
	}
	inside++;
	other = load(&me->next, ACQ);
	if (!other) {
		if (take_out(me))
			return NULL;
		while (!(other = load(&me->next, ACQ)))
			;
	}
	store(&other->locked, 0, REL);
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	assert(inside == N);
	return 0;
}
