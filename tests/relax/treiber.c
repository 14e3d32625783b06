/* SPDX-License-Identifier: ISC */
/*
 * treiber.c - Treiber's stack (1986), nodes used once. Nodes are read as plain memory, so a push
 * has to release a node, and a thread that reads its address has to acquire it, also in an exchange
 * that fails.
 */
#include "relax.h"

struct node {
	struct node *next;
	int value;
};

static _Atomic(struct node *) top;
static struct node node[3];
static int sum[3];

static void push(struct node *n, int value)
{
	struct node *old = atomic_load_explicit(&top, O(relaxed));

	n->value = value;
	do
		n->next = old;
	while (!atomic_compare_exchange_strong_explicit(&top, &old, n, O(release), O(relaxed)));
}

static int pop(void)
{
	struct node *old = atomic_load_explicit(&top, O(acquire));

	while (old)
		if (atomic_compare_exchange_strong_explicit(
			    &top, &old, old->next, O(relaxed), O(acquire)))
			return old->value;
	return 0;
}

static void *pusher(void *arg)
{
	push(&node[(size_t)arg], 1 + (int)(size_t)arg);
	return arg;
}

static void *popper(void *arg)
{
	sum[(size_t)arg] = pop();
	return arg;
}

int main(void)
{
	RUN(pusher, pusher, popper);
	for (int v; (v = pop());)
		sum[0] += v;
	assert(sum[0] + sum[2] == 3);
}
