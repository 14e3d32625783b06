/* SPDX-License-Identifier: ISC */
/* Concurrency Kit's ring, one producer and one consumer.
 *
 * The slot is filled by a plain copy, then the producer's index is stored; between them stands
 * ck_pr_fence_store(). The x86 port leaves that fence to the hardware, so it fails under PSO, and
 * so does the PSO port when the fence is taken out: the consumer gets an empty slot.
 *
 * verdict             tso  ok
 * verdict             pso  assertion reorder
 * verdict  -DPORT_PSO  tso  ok
 * verdict  -DPORT_PSO  pso  ok
 * verdict  -DPORT_PSO -DNO_FENCE_STORE  tso  ok
 * verdict  -DPORT_PSO -DNO_FENCE_STORE  pso  assertion reorder
 * verdict  -DCK_USE_CC_BUILTINS=1  tso  ok
 * verdict              tso  ok -- --strategy graph --executions 1000
 * report   -DPORT_PSO -DNO_FENCE_STORE  pso  "became visible before its store to"
 * report   -DPORT_PSO -DNO_FENCE_STORE  pso  /usr/include/ck_ring.h~"memcpy(buffer, entry, ts);"
 * report   -DPORT_PSO -DNO_FENCE_STORE  pso  /usr/include/ck_ring.h~"(&ring->p_tail, delta);"
 */
#include "ck_port.h"
#include <ck_ring.h>

#define SIZE 2 /* holds one item */

static ck_ring_t ring;
static ck_ring_buffer_t buffer[SIZE];
static int items[2] = {10, 20};

static void *producer(void *arg)
{
	ck_ring_enqueue_spsc(&ring, buffer, &items[0]);
	ck_ring_enqueue_spsc(&ring, buffer, &items[1]);
	return arg;
}

static void *consumer(void *arg)
{
	void *p;

	for (int i = 0, n = 0; i < 3; i++) {
		if (!ck_ring_dequeue_spsc(&ring, buffer, &p))
			continue;
		assert(p == &items[n]);
		n++;
	}
	return arg;
}

int main(void)
{
	ck_ring_init(&ring, SIZE);
	two(producer, NULL, consumer, NULL);
	return 0;
}
