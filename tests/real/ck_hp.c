/* SPDX-License-Identifier: ISC */
/* Concurrency Kit's stack with hazard pointers (explained in examples/treiber_stack.c).
 *
 * ck_hp_set_fence() publishes a hazard pointer. The x86 port does it with an exchange; the others
 * with a store and ck_pr_fence_memory(). Without that fence a thread reads a node that the other
 * one has freed, even under TSO. As for the race: see ck_fifo_spsc.c.
 *
 * verdict  -DCK_USE_CC_BUILTINS=1  tso  ok
 * verdict              tso  ok
 * verdict              pso  ok
 * verdict  -DPORT_PSO  tso  ok
 * verdict  -DPORT_PSO  pso  ok
 * verdict  -DPORT_PSO -DNO_FENCE_MEMORY  tso  assertion reorder
 * verdict  -DPORT_PSO -DNO_FENCE_MEMORY  pso  assertion reorder
 * verdict              tso  ok -- --strategy graph --executions 1000
 * verdict  -DCK_USE_CC_BUILTINS=1  tso  race -- --strategy graph
 * report   -DPORT_PSO -DNO_FENCE_MEMORY  tso  ck_hp_set_fence @look "took its value before its store to"
 */
#include "ck_port.h"
#include <ck_hp.h>
#include <ck_hp_stack.h>

struct item {
	ck_stack_entry_t link;
	int alive;
};

static ck_stack_t stack = CK_STACK_INITIALIZER;
static struct item items[2];
static void *pointer[2];
static ck_hp_record_t record[2];

static void *popper(void *arg)
{
	ck_stack_entry_t *e;

	/* The first lines of ck_hp_stack_pop_mpmc(), with a read of the node. */
	do {
		e = ck_pr_load_ptr(&stack.head);
		if (!e)
			return arg;
		ck_hp_set_fence(&record[0], 0, e);
	} while (e != ck_pr_load_ptr(&stack.head)); /* @look */
	assert(ck_pr_load_int(&((struct item *)e)->alive));
	ck_hp_set(&record[0], 0, NULL);
	return arg;
}

static void *remover(void *arg)
{
	ck_stack_entry_t *e = ck_hp_stack_pop_mpmc(&record[1], &stack);

	assert(e);
	ck_pr_fence_strict_memory();
	if (ck_pr_load_ptr(&pointer[0]) != e)
		ck_pr_store_int(&((struct item *)e)->alive, 0);
	return arg;
}

int main(void)
{
	for (int i = 0; i < 2; i++) {
		items[i].alive = 1;
		record[i].pointers = &pointer[i];
		ck_stack_push_upmc(&stack, &items[i].link);
	}
	two(popper, NULL, remover, NULL);
	return 0;
}
