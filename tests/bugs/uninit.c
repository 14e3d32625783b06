/* SPDX-License-Identifier: ISC */
/*
 * A node whose `ready' or `state' was never set: a branch or a compare-and-exchange uses it; in the
 * thread that has been given it, or in the other. (What else counts as a use: tests/cli/t_uninit.sh.)
 *
 * verdict rc11 uninit -- --strategy graph
 * report rc11 "use of uninitialised memory" @branch "was allocated by main at" @allocated
 * verdict tso uninit -- --strategy dfs
 * report tso "use of uninitialised memory: load of 4 bytes at offset 8 of a block of 24 bytes" @branch @allocated
 * verdict -DOTHER rc11 uninit -- --strategy graph
 * verdict -DOTHER tso uninit -- --strategy random
 * verdict -DATOMIC rc11 uninit -- --strategy graph
 * verdict -DATOMIC tso uninit -- --strategy dfs
 * verdict -DCAS rc11 uninit -- --strategy graph
 * verdict -DCAS tso uninit -- --strategy random
 * verdict -DCOPY -O0 rc11 uninit -- --strategy graph
 * options --detect=+uninit-unwritten --time 5
 */
#include "../clean/two.h"

#include <stdlib.h>

struct node {
	void *next;
	int ready;
	_Atomic int state;
	_Atomic(struct node *) owner;
};

static _Atomic(struct node *) shared;
_Atomic int seen;

static void look(struct node *n)
{
#if defined ATOMIC
	if (atomic_load(&n->state) == 1)
		seen = 1;
#elif defined CAS
	int none = 0;

	atomic_compare_exchange_strong(&n->state, &none, 1);
#elif defined COPY
	int ready = n->ready;

	if (ready > 2)
		seen = 1;
#else
	if (n->ready) /* @branch */
		seen = 1;
#endif
}

static void *giver(void *arg)
{
	struct node *n = arg;

	(void)n->state; /* a value that is not used */
#ifndef OTHER
	look(n);
#endif
	atomic_store(&shared, n);
	return NULL;
}

static void *taker(void *arg)
{
	struct node *n = atomic_load(&shared);

#ifdef OTHER
	if (n)
		look(n);
#endif
	return n ? arg : NULL;
}

int main(void)
{
	struct node *n = malloc(sizeof *n); /* @allocated */

	two(giver, n, taker, NULL);
	return 0;
}
