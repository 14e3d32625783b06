/* SPDX-License-Identifier: ISC */
/* liburcu's wait-free stack: push is an exchange of the head and then a store that links the node;
 * pop waits for the link.
 *
 * -DTWO_POPPERS breaks the rule that only one thread pops at a time: both may get the same node
 * only with reuse of nodes, so this is still clean; -DUNLINKED forgets to initialise `next`, which
 * the header's own assertion finds.
 *
 * verdict                 tso  ok
 * verdict                 pso  ok
 * verdict  -DTWO_POPPERS  tso  ok
 * verdict  -DUNLINKED     tso  assertion noreorder
 * verdict              tso  ok -- --strategy graph --executions 40 --time 5
 * libs     -lurcu-common
 */
#define _LGPL_SOURCE
#include <urcu/wfstack.h>
#include "../clean/two.h"

struct item {
	struct cds_wfs_node node;
	int value;
};

static struct cds_wfs_stack stack;
static struct item items[2];
static int got[2];

static int take(void)
{
#ifdef TWO_POPPERS
	struct cds_wfs_node *n = __cds_wfs_pop_blocking(&stack);
#else
	struct cds_wfs_node *n = cds_wfs_pop_blocking(&stack);
#endif

	return n ? caa_container_of(n, struct item, node)->value : 0;
}

static void *worker(void *arg)
{
	int me = *(int *)arg;

#ifdef UNLINKED
	items[me].node.next = (void *)1;
#else
	cds_wfs_node_init(&items[me].node);
#endif
	items[me].value = me + 1;
	cds_wfs_push(&stack, &items[me].node);
	got[me] = take();
	return NULL;
}

int main(void)
{
	int zero = 0, one = 1;

	cds_wfs_init(&stack);
	two(worker, &zero, worker, &one);
	assert(got[0] + got[1] == 3 && take() == 0);
	cds_wfs_destroy(&stack);
	return 0;
}
