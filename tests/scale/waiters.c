/* SPDX-License-Identifier: ISC */
/* 128 threads at one mutex, millions of steps: with what all of them wait for, one that goes on is not to pay for them.
 * Wrong (depth 1): a thread that finds the mutex taken counts all the same. */
#include "scale.h"
#include <stdbool.h>

#define WORKERS 128
#ifdef WRONG
#define ROUNDS 500
#else
#define ROUNDS 5000
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, own[WORKERS];
static int count, tried;

static void add(void)
{
	pthread_mutex_lock(&lock);
	assert(pthread_mutex_trylock(&lock));
	count++;
	pthread_mutex_unlock(&lock);
}

/* Without waiting. */
static void attempt(void)
{
	bool taken = !pthread_mutex_trylock(&lock);

#ifdef WRONG
	tried++;
#else
	if (taken)
		tried++;
#endif
	if (taken)
		pthread_mutex_unlock(&lock);
}

static void *worker(void *number)
{
	pthread_mutex_t *mine = &own[(intptr_t)number];

	pthread_mutex_lock(mine);
	for (int i = 0; i < ROUNDS; i++)
		add();
	attempt();
	pthread_mutex_unlock(mine);
	return NULL;
}

int main(void)
{
	for (int i = 0; i < WORKERS; i++)
		pthread_mutex_init(&own[i], NULL);
	start(0, WORKERS, worker);
	join(0, WORKERS);
	assert(count == WORKERS * ROUNDS && tried <= WORKERS);
	return 0;
}
