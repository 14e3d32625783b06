/* SPDX-License-Identifier: ISC */
/* several.c - several failures, each of which ends executions before others: --keep-going must find all.
 *
 * The threads of the first two always fail, in either order; the third one fails if it sees the
 * fourth. With -DRACE, the failure comes after a data race. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, z;

#ifdef RACE
int plain;

static void *first(void *arg)
{
	plain = 1;
	return arg;
}

static void *second(void *arg)
{
	plain = 2;
	atomic_store(&z, 1);
	return arg;
}
#else
static void *first(void *arg)
{
	atomic_store(&x, 1);
	assert(!"first");
	return arg;
}

static void *second(void *arg)
{
	(void)atomic_load(&x);
	assert(!"second");
	return arg;
}
#endif

static void *third(void *arg)
{
	assert(!atomic_load(&z) && "third");
	return arg;
}

static void *fourth(void *arg)
{
#ifndef RACE
	atomic_store(&z, 1);
#endif
	return arg;
}

int main(void)
{
	void *(*const body[])(void *) = {first, second, third, fourth};
	pthread_t thread[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], 0, body[i], 0);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], 0);
	return 0;
}
