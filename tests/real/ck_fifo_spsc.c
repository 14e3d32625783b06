/* SPDX-License-Identifier: ISC */
/* Concurrency Kit's linked queue for one producer and one consumer.
 *
 * The entry is filled by plain stores, then linked; in between stands ck_pr_fence_store(), which is
 * nothing on x86 and matters under PSO.
 *
 * The port for compilers' builtins loads and stores pointers as *(volatile void *const *)target: a
 * plain access of a pointer to what is volatile, and so a race under every model. The other port
 * has none under TSO.
 *
 * verdict  -DCK_USE_CC_BUILTINS=1  tso  ok
 * verdict              tso  ok
 * verdict              pso  assertion reorder
 * verdict  -DPORT_PSO  pso  ok
 * verdict  -DPORT_PSO -DNO_FENCE_STORE  tso  ok
 * verdict  -DPORT_PSO -DNO_FENCE_STORE  pso  assertion reorder
 * verdict              tso  ok -- --strategy graph --executions 1000
 * verdict  -DCK_USE_CC_BUILTINS=1  tso  race -- --strategy graph
 * report   -DPORT_PSO -DNO_FENCE_STORE  pso  /usr/include/ck_fifo.h~"entry->value = value;"
 * report   -DPORT_PSO -DNO_FENCE_STORE  pso  /usr/include/ck_fifo.h~"(&fifo->tail->next, entry);"
 */
#include "ck_port.h"
#include <ck_fifo.h>

static ck_fifo_spsc_t fifo;
static ck_fifo_spsc_entry_t entries[3];
static int items[2] = {1, 2};

static void *producer(void *arg)
{
	ck_fifo_spsc_enqueue(&fifo, &entries[1], &items[0]);
	ck_fifo_spsc_enqueue(&fifo, &entries[2], &items[1]);
	return arg;
}

static void *consumer(void *arg)
{
	int *p = NULL;

	for (int i = 0, n = 0; i < 3; i++) {
		if (!ck_fifo_spsc_dequeue(&fifo, &p))
			continue;
		assert(p == &items[n]);
		n++;
	}
	return arg;
}

int main(void)
{
	ck_fifo_spsc_init(&fifo, &entries[0]);
	two(producer, NULL, consumer, NULL);
	return 0;
}
