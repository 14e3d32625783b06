/* SPDX-License-Identifier: ISC */
/* pthread_cleanup_push: handlers run in reverse order on pthread_exit(), before key destructors. */
#include "two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static atomic_int steps;

static void unlock(void *arg)
{
	steps = steps * 10 + 2;
	pthread_mutex_unlock(arg);
}

static void first(void *arg)
{
	steps = steps * 10 + 1;
}

static void destroy(void *arg)
{
	steps = steps * 10 + 3;
}

static void *worker(void *arg)
{
	pthread_setspecific(key, arg);
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, &m);
	pthread_cleanup_push(first, NULL);
	pthread_cleanup_push(first, NULL);
	pthread_cleanup_pop(0);
	pthread_exit(arg);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return NULL;
}

int main(void)
{
	pthread_t t;
	void *result;

	pthread_key_create(&key, destroy);
	pthread_create(&t, NULL, worker, &key);
	pthread_join(t, &result);
	assert(result == &key && steps == 123 && !pthread_mutex_trylock(&m));
	printf("%d\n", steps);
	return 0;
}
