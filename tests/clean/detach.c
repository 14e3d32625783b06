/* SPDX-License-Identifier: ISC */
/* Detached threads, by attribute, by others and by themselves; main waits for their last store. */
#include <semaphore.h>
#include "two.h"

static sem_t done;
static atomic_int n;

static void *worker(void *arg)
{
	if (arg)
		assert(pthread_detach(pthread_self()) == 0);
	n++;
	sem_post(&done);
	return NULL;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t t;

	sem_init(&done, 0, 0);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_create(&t, &attr, worker, NULL);
	sem_wait(&done);
	pthread_create(&t, NULL, worker, &n);
	sem_wait(&done);
	pthread_create(&t, NULL, worker, NULL);
	assert(pthread_detach(t) == 0);
	sem_wait(&done);
	assert(n == 3);
	puts("ok");
	return 0;
}
