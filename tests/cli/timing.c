/* SPDX-License-Identifier: ISC */
/* timing.c - failures that depend on time: a long sleep, a timed wait, and sleeps in their order. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int done, order;
static sem_t posted, never;

static void *work(void *argument)
{
	done = 1;
	sem_post(&posted);
	return argument;
}

static void *two(void *argument)
{
	sleep(2);
	assert(++order == 2);
	return argument;
}

static struct timespec in_seconds(int n)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += n;
	return t;
}

static void *one(void *argument)
{
	struct timespec t = in_seconds(1);

	assert(sem_timedwait(&never, &t) == -1);
	assert(++order == 1);
	return argument;
}

static int ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *late(void *argument)
{
	usleep(500000);
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
	return argument;
}

static void wait_until_ready(void)
{
	struct timespec at;
	int error = 0;

	clock_gettime(CLOCK_MONOTONIC, &at);
	at.tv_nsec += 100000000;
	pthread_mutex_lock(&mutex);
	while (!ready && !error)
		error = pthread_cond_clockwait(&changed, &mutex, CLOCK_MONOTONIC, &at);
	assert(ready);
	pthread_mutex_unlock(&mutex);
}

/* Sleeps for longer than main, unless the other thread has been there. */
static void *may_sleep(void *argument)
{
	if (!order)
		sleep(2000);
	return work(argument);
}

static void *comes(void *argument)
{
	order = 1;
	return argument;
}

/* Two reads an iteration: at -O0 the last iteration before time passes has made one of them. */
static void *spins(void *argument)
{
	int a, b;

	do {
		a = order;
		b = done;
	} while (!a && !b);
	assert(a == 1);
	return argument;
}

static void *for_ever(void *argument)
{
	for (;;)
		sleep(1);
	return argument;
}

static void *poller(void *argument)
{
	while (!done)
		usleep(100);
	return argument;
}

int main(void)
{
	pthread_t t[3];
	int n = 1;

	sem_init(&posted, 0, 0);
	sem_init(&never, 0, 0);
#ifdef ORDER
	n = 3;
	pthread_create(&t[0], NULL, two, NULL);
	pthread_create(&t[1], NULL, one, NULL);
	pthread_create(&t[2], NULL, poller, NULL);
	sleep(3);
	assert(order == 2);
	done = 1;
#elif defined(WAIT)
	struct timespec at = in_seconds(5);

	pthread_create(&t[0], NULL, work, NULL);
	assert(sem_timedwait(&posted, &at) == 0);
#elif defined(COND) /* also fails at its normal pace */
	pthread_create(&t[0], NULL, late, NULL);
	wait_until_ready();
#elif defined(POLL)
	pthread_create(&t[0], NULL, poller, NULL);
#elif defined(FOR_EVER)
	pthread_create(&t[0], NULL, for_ever, NULL);
#elif defined(SHORT) /* also fails at its normal pace */
	pthread_create(&t[0], NULL, two, NULL);
	sleep(1);
	assert(order);
#elif defined(TAIL)
	pthread_create(&t[0], NULL, spins, NULL);
	sleep(1);
	order = 1;
#elif defined(EARLY)
	n = 2;
	pthread_create(&t[0], NULL, may_sleep, NULL);
	pthread_create(&t[1], NULL, comes, NULL);
	sleep(1000);
	assert(done);
#else
	pthread_create(&t[0], NULL, work, NULL);
	sleep(1000);
	assert(done);
#endif
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return 0;
}
