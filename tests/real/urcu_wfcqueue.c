/* SPDX-License-Identifier: ISC */
/* liburcu's wait-free queue: two producers; one of them also dequeues.
 *
 * With _LGPL_SOURCE the operations are inlined, so they are compiled, and explored, with the
 * program. Enqueuing is an exchange of the tail and then a store that links the node: a consumer
 * that comes in between waits for the link.
 *
 * verdict  tso  ok
 * verdict  pso  ok
 * verdict              tso  ok -- --strategy graph --executions 40 --time 5
 * libs     -lurcu-common
 */
#define _LGPL_SOURCE
#include <urcu/wfcqueue.h>
#include "../clean/two.h"

struct item {
	struct cds_wfcq_node node;
	int value;
};

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct item items[2];
static int got[3];

static int take(void)
{
	struct cds_wfcq_node *n = __cds_wfcq_dequeue_blocking(&head, &tail);

	return n ? caa_container_of(n, struct item, node)->value : 0;
}

static void put(int i)
{
	cds_wfcq_node_init(&items[i].node);
	items[i].value = i + 1;
	cds_wfcq_enqueue(&head, &tail, &items[i].node);
}

static void *producer(void *arg)
{
	put(0);
	return arg;
}

static void *both(void *arg)
{
	put(1);
	got[0] = take();
	assert(got[0] != 0);
	return arg;
}

int main(void)
{
	cds_wfcq_init(&head, &tail);
	two(producer, NULL, both, NULL);
	got[1] = take();
	got[2] = take();
	assert(got[0] + got[1] == 3 && !got[2]);
	cds_wfcq_destroy(&head, &tail);
	return 0;
}
