/* SPDX-License-Identifier: ISC */
/* Accesses just outside an array: of a global, of a heap block, of the stack. Not reported in this
 * version; they must not break anything else. */
#include "two.h"

static struct {
	int inside[4];
	int after[4];
} global;
static volatile int four = 4, minus_one = -1, sink;

static void *worker(void *arg)
{
	char *heap = malloc(20);
	volatile int stack[4] = {1, 2, 3, 4};

	global.inside[four + *(int *)arg] = 7; /* lands in `after` */
	heap[four * 5] = 1;			/* malloc rounds up */
	sink = heap[four * 5 + 1];
	sink = stack[four];
	sink = stack[minus_one];
	free(heap);
	return NULL;
}

int main(void)
{
	int zero = 0, one = 1;

	two(worker, &zero, worker, &one);
	sink = global.after[1];
	printf("%d\n", sink);
	return 0;
}
