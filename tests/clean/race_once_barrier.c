/* SPDX-License-Identifier: ISC */
/* graph: sc tso pso ra rc11; */
/* Data initialised by pthread_once(), written before a barrier, or guarded by a condition. */
#include "two.h"

static int once_value, part[2], item;
static bool there;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void initialise(void)
{
	once_value = 3;
}

static void *left(void *arg)
{
	pthread_once(&once, initialise);
	part[0] = once_value;
	pthread_barrier_wait(&barrier);
	assert(part[1] == 4);
	pthread_mutex_lock(&mutex);
	item = 9;
	there = true;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *right(void *arg)
{
	pthread_once(&once, initialise);
	part[1] = once_value + 1;
	pthread_barrier_wait(&barrier);
	assert(part[0] == 3);
	pthread_mutex_lock(&mutex);
	while (!there)
		pthread_cond_wait(&cond, &mutex);
	assert(item == 9);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	two(left, NULL, right, NULL);
	printf("%d %d %d\n", part[0], part[1], item);
	return 0;
}
