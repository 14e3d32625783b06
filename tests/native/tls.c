/* SPDX-License-Identifier: ISC */
/* Thread-local data and its destruction: keys, their order and rounds, C11's tss, __thread,
 * atexit. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static pthread_key_t key, again;
static tss_t c11;
static atomic_int freed, rounds, c11_freed;
static __thread int counter = 7;
static __thread char big[100000];
static _Thread_local int *self;

static void free_value(void *p)
{
	freed++;
	free(p);
}

static void set_again(void *p)
{
	rounds++;
	if (rounds < 3)
		pthread_setspecific(again, p);
}

static void c11_free(void *p)
{
	c11_freed++;
}

static void *work(void *arg)
{
	self = &counter;
	counter += (int)(long)arg;
	big[99999] = (char)counter;
	pthread_setspecific(key, malloc(16));
	if (arg == (void *)1)
		pthread_setspecific(again, arg);
	tss_set(c11, arg);
	if (arg == (void *)2)
		pthread_exit((void *)(long)*self);
	return (void *)(long)big[99999];
}

static void at_exit(void)
{
	printf("exit: freed %d, rounds %d, c11 %d, counter %d\n", freed, rounds, c11_freed,
		counter);
}

int main(void)
{
	pthread_t t[4];
	void *result;
	int sum = 0;

	atexit(at_exit);
	pthread_key_create(&key, free_value);
	pthread_key_create(&again, set_again);
	tss_create(&c11, c11_free);
	pthread_setspecific(key, malloc(8));
	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < 4; i++) {
		pthread_join(t[i], &result);
		sum += (int)(long)result;
	}
	printf("sum %d, main's %d\n", sum, counter);
	printf("key %d, none %d\n", pthread_getspecific(key) != NULL,
		pthread_getspecific(again) == NULL);
	free(pthread_getspecific(key));
	pthread_key_delete(key);
	return 4;
}
