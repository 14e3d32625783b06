/* SPDX-License-Identifier: ISC */
/* A pool of threads that sort the arrays they are given. Wrong (depth 2): jobs done are counted by a load and a
 * store. */
#include "scale.h"

#define WORKERS 4
#define JOBS	40
#define NUMBERS 32

struct job {
	struct job *next;
	int number[NUMBERS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static struct job *first;
static int stopping;
static atomic_int done;

static void sort(int *a, int n)
{
	for (int i = 1; i < n; i++) {
		int x = a[i], k = i;

		while (k && a[k - 1] > x) {
			a[k] = a[k - 1];
			k--;
		}
		a[k] = x;
	}
}

static struct job *take(void)
{
	struct job *j;

	pthread_mutex_lock(&lock);
	while (!first && !stopping)
		pthread_cond_wait(&work, &lock);
	j = first;
	if (j)
		first = j->next;
	pthread_mutex_unlock(&lock);
	return j;
}

static void count(void)
{
#ifdef WRONG
	done = done + 1;
#else
	done++;
#endif
}

static void *worker(void *unused)
{
	struct job *j;

	while ((j = take())) {
		sort(j->number, NUMBERS);
		for (int i = 1; i < NUMBERS; i++)
			assert(j->number[i - 1] <= j->number[i]);
		free(j);
		count();
	}
	return unused;
}

static void give(unsigned *seed)
{
	struct job *j = malloc(sizeof *j);

	for (int i = 0; i < NUMBERS; i++)
		j->number[i] = (int)(next_random(seed) % 1000);
	pthread_mutex_lock(&lock);
	j->next = first;
	first = j;
	pthread_cond_signal(&work);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	unsigned seed = 1;

	start(0, WORKERS, worker);
	for (int i = 0; i < JOBS; i++)
		give(&seed);
	pthread_mutex_lock(&lock);
	stopping = 1;
	pthread_cond_broadcast(&work);
	pthread_mutex_unlock(&lock);
	join(0, WORKERS);
	assert(done == JOBS);
	return 0;
}
