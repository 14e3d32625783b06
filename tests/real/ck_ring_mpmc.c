/* SPDX-License-Identifier: ISC */
/* Concurrency Kit's ring with several producers and consumers: both threads put one item in and
 * take one out.
 *
 * verdict              tso  ok
 * verdict  -DPORT_PSO  pso  ok
 * verdict  -DCK_USE_CC_BUILTINS=1  tso  ok
 * verdict  -DPORT_PSO -DNO_FENCE_STORE  pso  assertion reorder
 * verdict              tso  ok -- --strategy graph --executions 1000
 */
#include "ck_port.h"
#include <ck_ring.h>

#define SIZE 4

static ck_ring_t ring;
static ck_ring_buffer_t buffer[SIZE];
static int items[2] = {1, 2};
static int *got[2];

static void *worker(void *arg)
{
	int me = *(int *)arg;
	void *p;

	if (!ck_ring_enqueue_mpmc(&ring, buffer, &items[me]))
		assert(!"full");
	if (ck_ring_dequeue_mpmc(&ring, buffer, &p)) {
		assert(p == &items[0] || p == &items[1]);
		got[me] = p;
	}
	return NULL;
}

int main(void)
{
	int zero = 0, one = 1;
	void *p;

	ck_ring_init(&ring, SIZE);
	two(worker, &zero, worker, &one);
	for (int i = 0; i < 2; i++)
		if (!got[i] && ck_ring_dequeue_mpmc(&ring, buffer, &p))
			got[i] = p;
	assert(got[0] && got[1] && got[0] != got[1]);
	assert(!ck_ring_dequeue_mpmc(&ring, buffer, &p));
	return 0;
}
