/* SPDX-License-Identifier: ISC */
/* graph: rc11 tso; random: rc11 */
/* A thread finds its own id where pthread_create() stores it, as with every C library; others read it after they have
 * synchronised. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t worker, helper;

static void *work(void *arg)
{
	assert(pthread_equal(worker, pthread_self()));
	return arg;
}

static void *help(void *arg)
{
	assert(pthread_equal(helper, pthread_self()));
	pthread_join(worker, NULL);
	return arg;
}

int main(void)
{
	pthread_create(&worker, NULL, work, NULL);
	pthread_create(&helper, NULL, help, NULL);
	pthread_join(helper, NULL);
	return 0;
}
