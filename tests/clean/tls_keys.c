/* SPDX-License-Identifier: ISC */
/* Thread-specific data: a value for each thread, destructors at its end, also for values they set
 * again. */
#include "two.h"

static pthread_key_t key, again;
static int destroyed, rounds;

static void destroy(void *p)
{
	destroyed += p != NULL;
}

static void set_again(void *p)
{
	if (p != &key)
		pthread_setspecific(again, &key);
	else
		rounds++;
}

static void *one(void *arg)
{
	assert(pthread_getspecific(key) == NULL);
	assert(pthread_setspecific(key, arg) == 0);
	assert(pthread_getspecific(key) == arg);
	return NULL;
}

static void *other(void *arg)
{
	assert(pthread_setspecific(again, arg) == 0);
	return NULL;
}

int main(void)
{
	pthread_key_t deleted;
	int a = 1;

	assert(!pthread_key_create(&key, destroy) && !pthread_key_create(&again, set_again));
	assert(!pthread_key_create(&deleted, NULL) && !pthread_key_delete(deleted));
	assert(pthread_setspecific(deleted, &a) != 0);
	pthread_setspecific(key, &a);
	two(one, &a, other, &a);
	assert(pthread_getspecific(key) == &a);
	assert(destroyed == 1 && rounds == 1);
	pthread_setspecific(key, NULL);
	assert(!pthread_key_delete(key));
	puts("ok");
	return 0;
}
