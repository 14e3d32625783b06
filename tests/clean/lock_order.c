/* SPDX-License-Identifier: ISC */
/* options: --detect=+lock-order */
/* Locks taken in different orders that cannot deadlock: before the other thread exists, under a
 * common lock, for reading only, and where the second one is only tried. */
#include "two.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER, s = PTHREAD_RWLOCK_INITIALIZER;

static void nest(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void read_both(pthread_rwlock_t *first, pthread_rwlock_t *second)
{
	pthread_rwlock_rdlock(first);
	pthread_rwlock_rdlock(second);
	pthread_rwlock_unlock(second);
	pthread_rwlock_unlock(first);
}

static void *forth(void *arg)
{
	pthread_mutex_lock(&gate);
	nest(&a, &b);
	pthread_mutex_unlock(&gate);
	read_both(&r, &s);
	return arg;
}

static void *back(void *arg)
{
	pthread_mutex_lock(&gate);
	nest(&b, &a);
	pthread_mutex_unlock(&gate);
	read_both(&s, &r);
	pthread_mutex_lock(&b);
	if (!pthread_mutex_trylock(&a))
		pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	nest(&b, &a);
	two(forth, NULL, back, NULL);
	nest(&b, &a);
	return 0;
}
