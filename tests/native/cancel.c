/* SPDX-License-Identifier: ISC */
/* Cancellation: at a cancellation point, in a wait, asynchronously, not while disabled;
 * handlers. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static atomic_int started, cleaned;
static sem_t go;

static void clean(void *arg)
{
	cleaned += (int)(long)arg;
}

static void unlock(void *m)
{
	pthread_mutex_unlock(m);
	cleaned++;
}

static void *in_sleep(void *arg)
{
	pthread_cleanup_push(clean, (void *)1);
	pthread_cleanup_push(clean, (void *)10);
	started = 1;
	for (;;)
		sleep(100);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *in_wait(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, &mutex);
	started = 1;
	for (;;)
		pthread_cond_wait(&never, &mutex);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *disabled(void *arg)
{
	int old;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	started = 1;
	sem_wait(&go);
	pthread_testcancel();
	pthread_setcancelstate(old, NULL);
	cleaned += 100;
	pthread_testcancel();
	cleaned += 1000;
	return NULL;
}

static void *spinning(void *arg)
{
	volatile unsigned long turns = 0;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	started = 1;
	for (;;)
		turns++;
	return NULL;
}

static void *by_itself(void *arg)
{
	pthread_cleanup_push(clean, (void *)5);
	started = 1;
	pthread_exit((void *)3);
	pthread_cleanup_pop(0);
	return NULL;
}

static void run(const char *name, void *(*fn)(void *), int cancel)
{
	pthread_t t;
	void *result;

	started = cleaned = 0;
	pthread_create(&t, NULL, fn, NULL);
	while (!started)
		usleep(100);
	usleep(2000);
	if (cancel)
		pthread_cancel(t);
	sem_post(&go);
	pthread_join(t, &result);
	printf("%s: cancelled %d, cleaned %d\n", name, result == PTHREAD_CANCELED, cleaned);
}

int main(void)
{
	sem_init(&go, 0, 0);
	run("in sleep", in_sleep, 1);
	run("in a condition wait", in_wait, 1);
	printf("the mutex is free: %d\n", pthread_mutex_trylock(&mutex) == 0);
	sem_init(&go, 0, 0);
	run("disabled", disabled, 1);
	run("asynchronous", spinning, 1);
	run("by itself", by_itself, 0);
	return 0;
}
