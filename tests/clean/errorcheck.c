/* SPDX-License-Identifier: ISC */
/* An error-checking mutex returns EDEADLK, EPERM and EBUSY instead of hanging. */
#define _GNU_SOURCE
#include <errno.h>
#include "two.h"

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int inside;

static void *worker(void *arg)
{
	int error = pthread_mutex_unlock(&m);

	assert(error == EPERM);
	assert(pthread_mutex_lock(&m) == 0);
	assert(++inside == 1);
	assert(pthread_mutex_lock(&m) == EDEADLK);
	assert(pthread_mutex_trylock(&m) == EBUSY);
	inside--;
	assert(pthread_mutex_unlock(&m) == 0);
	assert(pthread_cond_wait(&c, &m) == EPERM);
	return arg;
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	assert(pthread_mutex_destroy(&m) == 0);
	puts("ok");
	return 0;
}
