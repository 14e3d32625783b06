/* SPDX-License-Identifier: ISC */
/* Thread-specific data: a value a thread, destructors at its end, also for values they set again. */
#include "two.h"

static pthread_key_t key, again;
static atomic_int destroyed, rounds;

static void destroy(void *p)
{
	destroyed += *(int *)p;
	free(p);
}

static void set_again(void *p)
{
	if (++rounds <= 2)
		pthread_setspecific(again, p);
}

static void *worker(void *arg)
{
	int *mine = malloc(sizeof *mine);

	assert(pthread_getspecific(key) == NULL);
	*mine = *(int *)arg;
	assert(pthread_setspecific(key, mine) == 0 && pthread_setspecific(again, arg) == 0);
	assert(pthread_getspecific(key) == mine);
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
	two(worker, &a, worker, &a);
	assert(pthread_getspecific(key) == &a);
	assert(destroyed == 2 && rounds == 4);
	pthread_setspecific(key, NULL);
	assert(!pthread_key_delete(key));
	puts("ok");
	return 0;
}
