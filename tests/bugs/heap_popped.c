/* SPDX-License-Identifier: ISC */
/* finding: heap; models: tso; graph: tso rc11 */
/* An element of a stack is freed by one thread while another, which has read it as the top, still reads its member.
 * The atomic accesses by which it is taken are not the cause.
 *
 * report rc11 "use after free" "why       no synchronisation orders the two"
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	struct node *next;
};

static _Atomic(struct node *) top;

static void push(void)
{
	struct node *n = malloc(sizeof *n);

	n->next = atomic_load(&top);
	while (!atomic_compare_exchange_strong(&top, &n->next, n))
		;
}

static void pop(void)
{
	struct node *n = atomic_load(&top);

	while (n && !atomic_compare_exchange_strong(&top, &n, n->next))
		;
	free(n);
}

static void *work(void *arg)
{
	push();
	pop();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
	return 0;
}
