/* SPDX-License-Identifier: ISC */
/* queue.h - the operations of examples/ms_queue.c, for heddle generate. */
#define main its_client
#include "../../../examples/ms_queue.c"
#include <heddle/generate.h>

static struct node nodes[40];

static int64_t take(void)
{
	int v;

	return dequeue(&v) ? v : HEDDLE_EMPTY;
}

HEDDLE_SPECIFICATION(queue)
HEDDLE_THREADS(enq: enqueue(&nodes[new], new), deq: take())
HEDDLE_AFTER(deq: take())
