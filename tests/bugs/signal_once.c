/* SPDX-License-Identifier: ISC */
/* finding: deadlock; models: sc tso pso; reorder: no */
/* graph: rc11 sc; dfs: tso */
/* Only the first item is announced. The consumer misses the second if it waits in between; main has
 * joined the producer then, and is at its last join. */
#include "../clean/two.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *producer(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&mutex);
		items++;
		if (i == 0)
			pthread_cond_signal(&filled);
		pthread_mutex_unlock(&mutex);
	}
	return arg;
}

static void *consumer(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&mutex);
		while (!items)
			pthread_cond_wait(&filled, &mutex);
		items--;
		pthread_mutex_unlock(&mutex);
	}
	return arg;
}

int main(void)
{
	two(producer, NULL, consumer, NULL);
	return 0;
}
