/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso pso rc11; options: --strategy graph */
/*
 * foreign_scan.c - a function of the C library writes to memory that no other code of its thread accesses: the reader
 * may come first.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int number;

static void *scan_number(void *arg)
{
	pthread_mutex_lock(&mutex);
	sscanf("77", "%d", &number);
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *read_number(void *arg)
{
	pthread_mutex_lock(&mutex);
	assert(number == 77);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t thread[2];

	pthread_create(&thread[0], NULL, scan_number, NULL);
	pthread_create(&thread[1], NULL, read_number, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
