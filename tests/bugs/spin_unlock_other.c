/* SPDX-License-Identifier: ISC */
/* finding: misuse; models: sc tso pso; reorder: no */
/* A spinlock is unlocked by a thread that has not locked it. */
#include "../clean/two.h"

static pthread_spinlock_t lock;

static void *worker(void *arg)
{
	pthread_spin_lock(&lock);
	pthread_spin_unlock(&lock);
	return arg;
}

static void *careless(void *arg)
{
	if (pthread_spin_trylock(&lock))
		pthread_spin_unlock(&lock);
	else
		pthread_spin_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_spin_init(&lock, 0);
	two(worker, NULL, careless, NULL);
	return 0;
}
