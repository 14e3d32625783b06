/* SPDX-License-Identifier: ISC */
/* A key and a value from before main() (a constructor) are there in every execution. */
#include "two.h"

static pthread_key_t key;
static int early = 5;
static atomic_int destroyed;

static void destroy(void *p)
{
	destroyed++;
}

__attribute__((constructor)) static void before_main(void)
{
	pthread_key_create(&key, destroy);
	pthread_setspecific(key, &early);
}

static void *worker(void *arg)
{
	assert(pthread_getspecific(key) == NULL);
	pthread_setspecific(key, arg);
	return NULL;
}

int main(void)
{
	int mine;

	assert(pthread_getspecific(key) == &early);
	two(worker, &mine, worker, &mine);
	pthread_setspecific(key, &mine);
	assert(pthread_getspecific(key) == &mine && destroyed == 2);
	puts("ok");
	return 0;
}
