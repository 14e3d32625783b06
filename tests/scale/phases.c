/* SPDX-License-Identifier: ISC */
/* Six threads write numbers and read those of all others, in turns, with a barrier of a mutex and a
 * condition. Wrong (depth 1): they wait for the count, which the first of the next turn changes. */
#include "scale.h"

#define THREADS 6
#define TURNS	8

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int arrived, turn;
static int number[THREADS][TURNS];

static void wait_for_all(void)
{
	int mine;

	pthread_mutex_lock(&lock);
	mine = turn;
	if (++arrived == THREADS) {
		arrived = 0;
		turn++;
		pthread_cond_broadcast(&all);
	}
#ifdef WRONG
	while (arrived)
#else
	while (turn == mine)
#endif
		pthread_cond_wait(&all, &lock);
	pthread_mutex_unlock(&lock);
}

static void *worker(void *id)
{
	for (int i = 0; i < TURNS; i++) {
		number[(intptr_t)id][i] = i + 1;
		wait_for_all();
		for (int t = 0; t < THREADS; t++)
			assert(number[t][i] == i + 1);
	}
	return NULL;
}

int main(void)
{
	start(0, THREADS, worker);
	join(0, THREADS);
	return 0;
}
