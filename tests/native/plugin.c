/* SPDX-License-Identifier: ISC */
/* plugin.c - a library for dlopen.c: threads, atomics, thread-local data, constructor,
 * destructor. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int count;
static __thread int mine = 5;
static int *heap;

__attribute__((constructor)) static void begin(void)
{
	heap = malloc(sizeof *heap);
	*heap = 40;
	printf("plugin: begins\n");
}

__attribute__((destructor)) static void end(void)
{
	free(heap);
	printf("plugin: ends\n");
}

static void *work(void *arg)
{
	mine++;
	for (int i = 0; i < 1000; i++)
		atomic_fetch_add(&count, 1);
	return (void *)(long)mine;
}

int plugin_run(int (*call_back)(int))
{
	pthread_t t[2];
	void *result;
	int sum = 0;

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++) {
		pthread_join(t[i], &result);
		sum += (int)(long)result;
	}
	return call_back(count + sum + mine + *heap);
}
