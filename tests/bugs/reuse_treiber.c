/* SPDX-License-Identifier: ISC */
/*
 * ABA: a pop reads head = A and A's successor B; meanwhile others pop A and B, free them, and push
 * a new node, for which malloc() returns A again. The pop's compare-and-exchange succeeds, and
 * makes head the freed B. A tag that counts pushes distinguishes the new A from the old one. The
 * algorithm reads freed nodes, so the heap detector is off.
 *
 * verdict rc11 assertion,heap
 * verdict tso assertion,heap -- --strategy dfs
 * verdict tso assertion,heap -- --strategy random
 * verdict -DTAGGED rc11 ok complete -- --strategy graph --reuse=choose --detect=race
 * verdict -DTAGGED tso ok complete -- --strategy graph --reuse=choose --detect=race
 * verdict -DTAGGED tso ok -- --strategy random --executions 20000
 * verdict -DNEVER rc11 ok complete -- --strategy graph --reuse=never --detect=race
 * options --strategy graph --reuse=choose --detect=race
 */
#include "../clean/two.h"

struct node {
	_Atomic(struct node *) next;
	int value;
};

#ifdef TAGGED
#define TAG (1ull << 48)
#else
#define TAG 0
#endif
#define POINTER ((1ull << 48) - 1)

static _Atomic uint64_t head;
static atomic_int pops[4];

static struct node *node_of(uint64_t h)
{
	return (struct node *)(uintptr_t)(h & POINTER);
}

static void push(int value)
{
	struct node *n = malloc(sizeof(*n));
	uint64_t h = atomic_load(&head);

	n->value = value;
	do
		atomic_store_explicit(&n->next, node_of(h), memory_order_relaxed);
	while (!atomic_compare_exchange_strong(&head, &h,
		(uint64_t)(uintptr_t)n | ((h & ~POINTER) + TAG)));
}

static struct node *pop(void)
{
	uint64_t h = atomic_load(&head);
	struct node *n, *next;

	do {
		n = node_of(h);
		if (!n)
			return NULL;
		next = atomic_load(&n->next);
	} while (!atomic_compare_exchange_strong(&head, &h,
		(uint64_t)(uintptr_t)next | (h & ~POINTER)));
	assert(atomic_fetch_add(&pops[n->value], 1) == 0);
	return n;
}

static void *popper(void *arg)
{
	pop();
	return arg;
}

static void *worker(void *arg)
{
	struct node *a = pop(), *b = pop();

	free(b);
	free(a);
	push(3);
	return arg;
}

int main(void)
{
	struct node *n;

	push(1);
	push(2);
	two(popper, NULL, worker, NULL);
	while ((n = pop()))
		;
	return 0;
}
