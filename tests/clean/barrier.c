/* SPDX-License-Identifier: ISC */
/* A barrier, used twice: nobody passes before all have arrived, one of each round is the serial thread. */
#include "two.h"

static pthread_barrier_t barrier;
static atomic_int arrived, serial;

static void round_of(int n)
{
	int r;

	arrived++;
	r = pthread_barrier_wait(&barrier);
	assert(r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD);
	serial += r != 0;
	assert(arrived >= 2 * n);
}

static void *worker(void *arg)
{
	round_of(1);
	round_of(2);
	return arg;
}

int main(void)
{
	assert(pthread_barrier_init(&barrier, NULL, 0) != 0);
	assert(pthread_barrier_init(&barrier, NULL, 2) == 0);
	two(worker, NULL, worker, NULL);
	assert(serial == 2);
	assert(pthread_barrier_destroy(&barrier) == 0);
	puts("ok");
	return 0;
}
