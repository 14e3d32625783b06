/* SPDX-License-Identifier: ISC */
/*
 * The third thread stores behind the last byte of an array that the first has made a region: the access is
 * checked like any other.
 *
 * verdict -O1 rc11 heap
 * verdict -O1 tso heap
 * verdict -O1 rc11 heap -- --regions 1
 * options --strategy graph --regions 6
 * report -O1 rc11 "out of bounds: store of 1 byte right behind a block of 13 bytes"
 */
#include <pthread.h>
#include <stdlib.h>

#define SIZE 13 /* no multiple of 8 */

static char *array;
static int turns;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *arg)
{
	int n;

	pthread_mutex_lock(&mutex);
	n = SIZE + (turns++ == 2);
	for (int i = 0; i < n; i++)
		array[i] = (char)(i + 1);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t id[3];

	array = calloc(1, SIZE);
	for (int i = 0; i < 3; i++)
		pthread_create(&id[i], NULL, fill, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(id[i], NULL);
	free(array);
	return 0;
}
