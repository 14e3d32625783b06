/* SPDX-License-Identifier: ISC */
/* pthread spinlocks exclude; trylock says busy. */
#include <errno.h>
#include "two.h"

static pthread_spinlock_t lock;
static int counter;

static void *worker(void *arg)
{
	int error = pthread_spin_trylock(&lock);

	assert(error == 0 || error == EBUSY);
	if (error)
		pthread_spin_lock(&lock);
	counter++;
	assert(pthread_spin_trylock(&lock) == EBUSY);
	pthread_spin_unlock(&lock);
	return arg;
}

int main(void)
{
	assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
	two(worker, NULL, worker, NULL);
	assert(counter == 2 && pthread_spin_destroy(&lock) == 0);
	puts("ok");
	return 0;
}
