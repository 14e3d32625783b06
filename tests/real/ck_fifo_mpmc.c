/* SPDX-License-Identifier: ISC */
/* Concurrency Kit's Michael-Scott queue, with counted pointers of sixteen bytes.
 *
 * (With the compiler's builtins Concurrency Kit has none: they lack a CAS of two pointers.)
 *
 * verdict              tso  ok
 * verdict              pso  ok
 * verdict  -DPORT_PSO  pso  ok
 */
#include "ck_port.h"
#include <ck_fifo.h>

static ck_fifo_mpmc_t fifo;
static ck_fifo_mpmc_entry_t entries[3];
static int items[2] = {1, 2};
static int *got[2];

static void *worker(void *arg)
{
	int me = *(int *)arg, *p = NULL;
	ck_fifo_mpmc_entry_t *garbage;

	ck_fifo_mpmc_enqueue(&fifo, &entries[me], &items[me]);
	if (ck_fifo_mpmc_dequeue(&fifo, &p, &garbage)) {
		assert(p == &items[0] || p == &items[1]);
		got[me] = p;
	}
	return NULL;
}

int main(void)
{
	int zero = 0, one = 1;

	ck_fifo_mpmc_init(&fifo, &entries[2]);
	two(worker, &zero, worker, &one);
	assert(got[0] && got[1] && got[0] != got[1]);
	return 0;
}
