/* SPDX-License-Identifier: ISC */
/*
 * The reader still holds the pointer that the other thread removes and frees.
 *
 * verdict rc11 heap
 * verdict sc heap
 * verdict pso heap
 * verdict tso heap -- --strategy dfs
 * verdict tso heap -- --strategy random
 * options --strategy graph
 * report rc11 "use after free: nothing orders the use of a block before its free: T1 loads node#1->b at"
 * report rc11 @use "T2 frees node#1 at" @free "node#1 was allocated by main at"
 * report tso "use after free: load of 4 bytes at offset 4 of a block of 8 bytes that T2 has freed" @use
 * report tso "node#1 was allocated by main at" "node#1 was freed by T2" @free
 */
#include "../clean/two.h"

struct node {
	int a, b;
};

static _Atomic(struct node *) shared;

static void *reader(void *arg)
{
	struct node *n = atomic_load(&shared);

	if (n)
		assert(n->b == 5); /* @use */
	return arg;
}

static void *owner(void *arg)
{
	struct node *n = atomic_exchange(&shared, NULL);

	free(n); /* @free */
	return arg;
}

int main(void)
{
	struct node *n = malloc(sizeof(*n));

	n->a = 1;
	n->b = 5;
	atomic_store(&shared, n);
	two(reader, NULL, owner, NULL);
	return 0;
}
