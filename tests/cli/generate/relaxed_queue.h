/* SPDX-License-Identifier: ISC */
/*
 * relaxed_queue.h - the queue of tests/relax, whose orders with -DPUBLISHED suffice for its client
 * there, but not for all: see t_generate.sh.
 */
#define main its_client
#include "../../relax/msqueue.c"
#include <heddle/generate.h>

static struct node nodes[40];

static int64_t take(void)
{
	int v = dequeue();

	return v ? v : HEDDLE_EMPTY;
}

HEDDLE_SPECIFICATION(queue)
HEDDLE_THREADS(enq: enqueue(&nodes[new], new), deq: take())
HEDDLE_AFTER(deq: take())
