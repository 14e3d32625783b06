/* SPDX-License-Identifier: ISC */
/* options: --sleepers last --strategy pct --executions 100; graph: none */
/*
 * sleeps_between.c - a worker sleeps in each of many jobs, while main waits for room in the queue:
 * its sleep ends, though only the time has changed.
 */
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int waiting, busy;
static bool over;

static void work(void)
{
	struct timespec t;

	t.tv_sec = 0;
	t.tv_nsec = 1000000;
	nanosleep(&t, NULL);
}

static void *worker(void *unused)
{
	pthread_mutex_lock(&lock);
	while (waiting || !over) {
		while (!waiting && !over)
			pthread_cond_wait(&change, &lock);
		if (!waiting)
			break;
		waiting--;
		busy++;
		pthread_mutex_unlock(&lock);
		work();
		pthread_mutex_lock(&lock);
		busy--;
		pthread_cond_signal(&change);
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	for (int i = 0; i < 200; i++) {
		pthread_mutex_lock(&lock);
		while (waiting + busy)
			pthread_cond_wait(&change, &lock);
		waiting++;
		pthread_cond_signal(&change);
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	over = true;
	pthread_cond_signal(&change);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
