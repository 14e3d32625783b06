/* SPDX-License-Identifier: ISC */
/*
 * Two threads exit with a robust mutex; a third tries to lock it, once. The first two come in
 * either order; the attempt fails while one of them has the mutex, and succeeds before, between and
 * after: 2 * 5 executions. With -DGIVE_UP the third does not make the mutex consistent: where it
 * comes second, the last one to lock it gets ENOTRECOVERABLE. -DTIMED: it waits until that second;
 * in the future, it may also wait as long as need be, and an attempt that is late though it could
 * lock is blocked.
 *
 * counts sc,tso,pso,ra,rc11 10
 * counts -DGIVE_UP sc,tso,pso,ra,rc11 10
 * counts -DTIMED=0 sc,rc11 10
 * counts -DTIMED=9000000000 -DGIVE_UP sc,rc11 10 blocked 5
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "counts.h"

static pthread_mutex_t m;

static void *leaves(void *arg)
{
	int r = pthread_mutex_lock(&m);

	if (r == EOWNERDEAD)
		assert(!pthread_mutex_consistent(&m));
	return arg;
}

static void *tries(void *arg)
{
#ifdef TIMED
	struct timespec at = {TIMED, 0};
	int r = pthread_mutex_timedlock(&m, &at);

	assert(!r || r == ETIMEDOUT || r == EOWNERDEAD || r == ENOTRECOVERABLE);
#else
	int r = pthread_mutex_trylock(&m);

	assert(!r || r == EBUSY || r == EOWNERDEAD);
#endif
#ifndef GIVE_UP
	if (r == EOWNERDEAD)
		assert(!pthread_mutex_consistent(&m));
#endif
	if (!r || r == EOWNERDEAD)
		assert(!pthread_mutex_unlock(&m));
	return arg;
}

int main(void)
{
	pthread_mutexattr_t robust;
	pthread_t t[3];

	pthread_mutexattr_init(&robust);
	pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&m, &robust);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, i < 2 ? leaves : tries, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
}
