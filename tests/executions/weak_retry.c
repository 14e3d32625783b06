/* SPDX-License-Identifier: ISC */
/* Treiber's stack as most write it: a plain link, weak compare-and-exchange in a loop. Each of N
 * threads pushes a node and pops one. A spurious failure is a fruitless iteration without a lasting
 * effect, even with the link's store, so the executions are those of -DSTRONG.
 *
 * counts -DN=1 sc,tso,pso,ra,rc11 1
 * counts -DN=2 sc,tso,pso,ra,rc11 36
 * counts -DN=2 -DSTRONG sc,tso,pso,ra,rc11 36
 */
#include <stdlib.h>

#include "counts.h"

#ifdef STRONG
#define CHANGE atomic_compare_exchange_strong_explicit
#else
#define CHANGE atomic_compare_exchange_weak_explicit
#endif

struct node {
	struct node *next;
};

_Atomic(struct node *) top;

THREAD(both)
{
	struct node *n = malloc(sizeof *n), *old = load(&top, RLX);

	do
		n->next = old;
	while (!CHANGE(&top, &old, n, REL, RLX));
	old = load(&top, ACQ);
	while (!CHANGE(&top, &old, old->next, ACQ, ACQ))
		;
	return old;
}

int main(void)
{
	start_many(both, N);
	join_all(NULL);
	return 0;
}
