/* SPDX-License-Identifier: ISC */
/* Four threads hand over large blocks twice. One order of the sections is wrong, which comes late. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define THREADS 4
#define SIZE	40

struct block {
	int number[SIZE];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct block *slot[THREADS];
static int order[2 * THREADS], n;
static long sums;

static struct block *make(long me)
{
	struct block *b = malloc(sizeof *b);

	for (int i = 0; i < SIZE; i++)
		b->number[i] = (int)(i * me);
	return b;
}

static void *thread(void *arg)
{
	long me = (long)arg;

	for (int k = 0; k < 2; k++) {
		struct block *b = make(me), *other, *old;

		pthread_mutex_lock(&mutex);
		order[n++] = (int)me;
		old = slot[me];
		slot[me] = b;
		other = slot[(me + 1) % THREADS];
		for (int i = 0; other && i < SIZE; i++)
			sums += other->number[i];
#ifdef EARLY
		if (other && n == 2 * THREADS) {
			free(other);
			sums += other->number[SIZE / 2];
		}
#endif
		pthread_mutex_unlock(&mutex);
		free(old);
	}
	return NULL;
}

int main(void)
{
	pthread_t id[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&id[i], NULL, thread, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
#ifndef EARLY
	assert(order[0] != 1 || order[1] != 1 || order[2] != 2 || order[3] != 2);
#endif
	return 0;
}
