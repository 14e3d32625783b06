/* SPDX-License-Identifier: ISC */
/*
 * durations.c - a stress test that lasts for a time: main sleeps and stops its threads (SLEEP), or each of
 * them looks at a clock (CLOCK). Its lock is one (otherwise -DBROKEN), of pthread with -DMUTEX, so the
 * counts are equal.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#define THREADS 2

static atomic_int stop, locked;
static long counter, done[THREADS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static time_t end;

static void lock(void)
{
#if defined(MUTEX)
	pthread_mutex_lock(&mutex);
#elif defined(BROKEN)
	while (locked)
		;
	locked = 1;
#else
	while (atomic_exchange_explicit(&locked, 1, memory_order_acquire))
		;
#endif
}

static void unlock(void)
{
#ifdef MUTEX
	pthread_mutex_unlock(&mutex);
#else
	atomic_store_explicit(&locked, 0, memory_order_release);
#endif
}

static int is_over(void)
{
#ifdef CLOCK
	return time(NULL) >= end;
#elif defined(MUTEX)
	int over;

	lock();
	over = stop;
	unlock();
	return over;
#else
	return stop;
#endif
}

static void *work(void *slot)
{
	long n = 0;

	while (!is_over()) {
		lock();
		counter++;
		unlock();
		n++;
	}
	*(long *)slot = n;
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];
	long sum = 0;

	end = time(NULL) + 20;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, work, &done[i]);
#ifndef CLOCK
	sleep(20);
	stop = 1;
#endif
	for (int i = 0; i < THREADS; i++) {
		pthread_join(t[i], NULL);
		sum += done[i];
	}
	assert(sum == counter);
	return 0;
}
