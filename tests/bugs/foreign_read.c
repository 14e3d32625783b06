/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso pso rc11; options: --strategy graph */
/*
 * foreign_read.c - a function of the C library reads memory that another thread has written: what it reads is a
 * matter of the order of the threads, though no access of the program's own shows it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[8] = "12";

static void *write_text(void *arg)
{
	pthread_mutex_lock(&mutex);
	text[0] = '7';
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *read_text(void *arg)
{
	pthread_mutex_lock(&mutex);
	assert(atoi(text) == 72);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t thread[2];

	pthread_create(&thread[0], NULL, write_text, NULL);
	pthread_create(&thread[1], NULL, read_text, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
