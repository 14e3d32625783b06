/* SPDX-License-Identifier: ISC */
/* heap.c - the maximum cost of heap checks: only nodes that are allocated, shared,
 * freed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	_Atomic(struct node *) next;
	int value;
};

static _Atomic(struct node *) head;

static void push(int value)
{
	struct node *n = malloc(sizeof(*n)), *h = atomic_load(&head);

	n->value = value;
	do
		atomic_store_explicit(&n->next, h, memory_order_relaxed);
	while (!atomic_compare_exchange_strong(&head, &h, n));
}

static void *worker(void *arg)
{
	push(1);
	push(2);
	return arg;
}

int main(void)
{
	pthread_t thread[3];
	int sum = 0;

	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	for (struct node *n = head, *next; n; n = next) {
		next = n->next;
		sum += n->value;
		free(n);
	}
	assert(sum == 9);
	return 0;
}
