/* SPDX-License-Identifier: ISC */
/* A pool of WORKERS threads that sort the JOBS arrays which they are given, each of NUMBERS ints: as many executions
 * as without the arrays (pool.c). One access an event, there would be more events than a graph holds.
 *
 * counts -O2 -DWORKERS=1 -DJOBS=1 sc,tso,pso,ra,rc11 2
 * counts -O0 -DWORKERS=2 -DJOBS=2 sc,rc11 60
 * counts -O2 -DWORKERS=2 -DJOBS=2 sc,tso,pso,ra,rc11 60
 * counts -O2 -DWORKERS=3 -DJOBS=2 sc,rc11 450
 * counts -O2 -DWORKERS=4 -DJOBS=2 rc11 3360
 * counts-long -O2 -DWORKERS=4 -DJOBS=3 rc11 81984
 */
#include "counts.h"

#define NUMBERS 200

struct job {
	struct job *next;
	int number[NUMBERS];
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
struct job *first;
int stop;
atomic_int done;

static struct job *take(void)
{
	struct job *j;

	pthread_mutex_lock(&mutex);
	while (!first && !stop)
		pthread_cond_wait(&changed, &mutex);
	j = first;
	if (j)
		first = j->next;
	pthread_mutex_unlock(&mutex);
	return j;
}

static void sort(int *a)
{
	for (int i = 1; i < NUMBERS; i++) {
		int x = a[i], k = i;

		for (; k && a[k - 1] > x; k--)
			a[k] = a[k - 1];
		a[k] = x;
	}
	for (int i = 1; i < NUMBERS; i++)
		assert(a[i - 1] <= a[i]);
}

THREAD(worker)
{
	for (struct job *j; (j = take());) {
		sort(j->number);
		free(j);
		add(&done, 1, SC);
	}
	return NULL;
}

static void give(unsigned *seed)
{
	struct job *j = malloc(sizeof *j);

	for (int i = 0; i < NUMBERS; i++)
		j->number[i] = (int)((*seed = *seed * 1103515245 + 12345) >> 16);
	pthread_mutex_lock(&mutex);
	j->next = first;
	first = j;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
}

int main(void)
{
	unsigned seed = 1;

	for (int i = 0; i < WORKERS; i++)
		start(worker, i);
	for (int i = 0; i < JOBS; i++)
		give(&seed);
	pthread_mutex_lock(&mutex);
	stop = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	join_all(NULL);
	assert(done == JOBS);
	return 0;
}
