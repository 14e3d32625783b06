/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso pso rc11; options: --strategy graph */
/*
 * foreign_nested.c - qsort() writes to memory that no other code of its thread accesses, after it has called back; that
 * function has called the C library, too.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int numbers[3] = {3, 2, 1};

static int compare_texts(const void *a, const void *b)
{
	char text[2][16];

	snprintf(text[0], sizeof text[0], "%d", *(const int *)a);
	snprintf(text[1], sizeof text[1], "%d", *(const int *)b);
	return text[0][0] - text[1][0];
}

static void *sort_numbers(void *arg)
{
	pthread_mutex_lock(&mutex);
	qsort(numbers, 3, sizeof numbers[0], compare_texts);
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *read_number(void *arg)
{
	pthread_mutex_lock(&mutex);
	assert(numbers[0] == 3);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t thread[2];

	pthread_create(&thread[0], NULL, sort_numbers, NULL);
	pthread_create(&thread[1], NULL, read_number, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
