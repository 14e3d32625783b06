/* SPDX-License-Identifier: ISC */
/* A barrier, used twice: no thread passes before all have arrived, one of each round is the serial
 * thread. */
#include "two.h"

static pthread_barrier_t barrier;
static int serial[2], data[2];

static void *worker(void *arg)
{
	int me = arg == &data[1];

	data[me] = 1;
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		serial[0]++;
	assert(data[!me]);
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		serial[1]++;
	return arg;
}

int main(void)
{
	assert(pthread_barrier_init(&barrier, NULL, 0) != 0);
	assert(pthread_barrier_init(&barrier, NULL, 2) == 0);
	two(worker, &data[0], worker, &data[1]);
	assert(serial[0] == 1 && serial[1] == 1);
	assert(pthread_barrier_destroy(&barrier) == 0);
	puts("ok");
	return 0;
}
