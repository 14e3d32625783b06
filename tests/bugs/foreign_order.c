/* SPDX-License-Identifier: ISC */
/*
 * foreign_order.c - a function of the C library reads what was written last by one of two threads, in either order:
 * neither thread has read anything by which the two orders differ.
 *
 * options --strategy graph
 * verdict sc assertion
 * verdict rc11 assertion
 * verdict tso assertion -- --strategy graph --equivalence rf
 * verdict rc11 assertion -- --strategy graph --equivalence rf
 * verdict -DFIRST sc assertion
 * verdict -DFIRST pso assertion
 * verdict -DFIRST rc11 assertion
 * verdict -DBOTH sc ok
 * verdict -DBOTH rc11 ok
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define SECOND_LAST (atoi(text) == 22)
#define FIRST_LAST  (atoi(text) == 12)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[8] = "02";

static void *write_text(void *arg)
{
	pthread_mutex_lock(&mutex);
	text[0] = *(const char *)arg;
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t thread[2];

	pthread_create(&thread[0], NULL, write_text, "1");
	pthread_create(&thread[1], NULL, write_text, "2");
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
#if defined(BOTH)
	assert(FIRST_LAST || SECOND_LAST);
#elif defined(FIRST)
	assert(FIRST_LAST);
#else
	assert(SECOND_LAST);
#endif
	return 0;
}
