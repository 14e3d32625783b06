/* SPDX-License-Identifier: ISC */
/* msqueue.c - Michael and Scott's queue (1996), nodes used once: two enqueue, one dequeues. */
#include "relax.h"

struct node {
	_Atomic(struct node *) next;
	int value;
};

static struct node node[4];
static _Atomic(struct node *) head = &node[3], tail = &node[3];
static int got;

static void enqueue(struct node *n, int value)
{
	n->value = value;
	for (;;) {
		struct node *last = atomic_load_explicit(&tail, O(acquire)), *none = NULL;

		if (atomic_compare_exchange_strong_explicit(
			    &last->next, &none, n, O(release), O(acquire))) {
			atomic_compare_exchange_strong_explicit(
				&tail, &last, n, O(release), O(relaxed));
			return;
		}
		atomic_compare_exchange_strong_explicit(&tail, &last, none, O(release), O(relaxed));
	}
}

static int dequeue(void)
{
	struct node *first = atomic_load_explicit(&head, O(acquire));

	for (;;) {
		struct node *next = atomic_load_explicit(&first->next, O(acquire));

		if (!next)
			return 0;
		if (atomic_compare_exchange_strong_explicit(
			    &head, &first, next, O(relaxed), O(acquire)))
			return next->value;
	}
}

static void *enqueuer(void *arg)
{
	enqueue(&node[(size_t)arg], 1 + (int)(size_t)arg);
	return arg;
}

static void *dequeuer(void *arg)
{
	got = dequeue();
	return arg;
}

int main(void)
{
	int sum = 0;

	RUN(enqueuer, enqueuer, dequeuer);
	for (int v; (v = dequeue());)
		sum += v;
	assert(got + sum == 3);
}
