/* SPDX-License-Identifier: ISC */
/* CLH lock: each thread waits for the one before it in the queue, at that one's place: N!.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DN=3 sc,tso,pso,ra,rc11 6
 * counts -DN=4 sc,tso,pso,ra,rc11 24
 * counts -DN=5 rc11 120
 */
#include "counts.h"

struct node {
	atomic_int locked;
} node[N + 1];

_Atomic(struct node *) tail = &node[N];
int inside;

THREAD(thread)
{
	struct node *me = &node[INDEX], *other;

	store(&me->locked, 1, RLX);
	other = swap(&tail, me, ACQ_REL);
	while (load(&other->locked, ACQ))
		;
	inside++;
	store(&me->locked, 0, REL);
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	assert(inside == N);
	return 0;
}
