/* SPDX-License-Identifier: ISC */
/* A bounded buffer between three producers and three consumers. Wrong (depth 2): a woken thread does not test again. */
#include "scale.h"

#define ROOM	4
#define SIDES	3
#define NUMBERS 20

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int ring[ROOM], begin, used;
static long put_sum, taken_sum;
static int seen[SIDES * NUMBERS];

#ifdef WRONG
#define UNTIL if
#else
#define UNTIL while
#endif

static void put(int x)
{
	pthread_mutex_lock(&lock);
	while (used == ROOM)
		pthread_cond_wait(&not_full, &lock);
	ring[(begin + used++) % ROOM] = x;
	put_sum += x;
	pthread_cond_signal(&not_empty);
	pthread_mutex_unlock(&lock);
}

static int take(void)
{
	int x;

	pthread_mutex_lock(&lock);
	UNTIL (used == 0)
		pthread_cond_wait(&not_empty, &lock);
	assert(used > 0);
	x = ring[begin];
	begin = (begin + 1) % ROOM;
	used--;
	taken_sum += x;
	seen[x]++;
	pthread_cond_signal(&not_full);
	pthread_mutex_unlock(&lock);
	return x;
}

static void *producer(void *id)
{
	for (int i = 0; i < NUMBERS; i++)
		put((int)(intptr_t)id * NUMBERS + i);
	return NULL;
}

/* Of one producer the numbers come in order. */
static void *consumer(void *unused)
{
	int last[SIDES] = {-1, -1, -1};

	for (int i = 0; i < NUMBERS; i++) {
		int x = take(), from = x / NUMBERS;

		assert(x > last[from]);
		last[from] = x;
	}
	return unused;
}

int main(void)
{
	start(0, SIDES, producer);
	start(SIDES, SIDES, consumer);
	join(0, 2 * SIDES);
	assert(put_sum == taken_sum && used == 0);
	for (int i = 0; i < SIDES * NUMBERS; i++)
		assert(seen[i] == 1);
	return 0;
}
