/* SPDX-License-Identifier: ISC */
/* finding: misuse; models: sc tso pso; reorder: no */
/* A failed trylock is ignored: the mutex of the other thread is unlocked. */
#include "../clean/two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *careful(void *arg)
{
	pthread_mutex_lock(&m);
	x++;
	pthread_mutex_unlock(&m);
	return arg;
}

static void *careless(void *arg)
{
	pthread_mutex_trylock(&m);
	x++;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	two(careful, NULL, careless, NULL);
	return 0;
}
