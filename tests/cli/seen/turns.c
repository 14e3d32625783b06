/* SPDX-License-Identifier: ISC */
/* turns.c - a failure in one order of 12,870: for t_seen.sh. With -DPRODUCTION the threads keep to it; with fewer ROUNDS
 * there is none. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <unistd.h>

#define TURNS "abbabaabbaababba"
#ifndef ROUNDS
#define ROUNDS 8
#endif

static sem_t one;
static char taken[sizeof(TURNS)];
static int n;

static void wait_for_turn(char name)
{
#ifdef PRODUCTION
	while (TURNS[__atomic_load_n(&n, __ATOMIC_RELAXED)] != name)
		usleep(50);
#endif
}

static void *take(void *name)
{
	for (int i = 0; i < ROUNDS; i++) {
		wait_for_turn(*(char *)name);
		sem_wait(&one);
		taken[n] = *(char *)name;
		__atomic_store_n(&n, n + 1, __ATOMIC_RELAXED);
		sem_post(&one);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	sem_init(&one, 0, 1);
	pthread_create(&a, NULL, take, "a");
	pthread_create(&b, NULL, take, "b");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(strcmp(taken, TURNS) != 0);
	return 0;
}
