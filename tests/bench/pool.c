/* SPDX-License-Identifier: ISC */
/* pool.c - a pool of threads: WORKERS workers, JOBS jobs of 100 ints that each sorts; a mutex and a
 * condition. Sampled at nearly native speed, as all but a few accesses are private. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>
#ifndef JOBS
#define JOBS	200
#define WORKERS 4
#endif
struct task {
	struct task *next;
	int n;
	int *numbers;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t nonempty = PTHREAD_COND_INITIALIZER;
static struct task *first;
static int closed;
static atomic_int finished;
static int by_value(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}
static struct task *take(void)
{
	struct task *t;
	pthread_mutex_lock(&lock);
	while (!first && !closed)
		pthread_cond_wait(&nonempty, &lock);
	t = first;
	if (t)
		first = t->next;
	pthread_mutex_unlock(&lock);
	return t;
}
static void *work(void *unused)
{
	struct task *t;
	while ((t = take())) {
		qsort(t->numbers, (size_t)t->n, sizeof *t->numbers, by_value);
		for (int i = 1; i < t->n; i++)
			assert(t->numbers[i - 1] <= t->numbers[i]);
		free(t->numbers);
		free(t);
		atomic_fetch_add(&finished, 1);
	}
	return unused;
}
int main(void)
{
	pthread_t w[WORKERS];
	unsigned seed = 7;
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&w[i], NULL, work, NULL);
	for (int k = 0; k < JOBS; k++) {
		struct task *t = malloc(sizeof *t);
		t->n = 100;
		t->numbers = malloc(100 * sizeof *t->numbers);
		for (int i = 0; i < 100; i++)
			t->numbers[i] = (int)((seed = seed * 1664525 + 1013904223) >> 12);
		pthread_mutex_lock(&lock);
		t->next = first;
		first = t;
		pthread_cond_signal(&nonempty);
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	closed = 1;
	pthread_cond_broadcast(&nonempty);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(w[i], NULL);
	assert(finished == JOBS);
	return 0;
}
