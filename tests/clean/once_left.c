/* SPDX-License-Identifier: ISC */
/* graph: sc pso rc11; random: sc */
/* once_left.c - a thread ends within the function of pthread_once(): the next one calls it again. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "two.h"

static pthread_once_t once = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;
static int calls, value;

static void leave(void)
{
	if (!calls++)
		pthread_exit(NULL);
	value = 42;
}

static void initialise(void)
{
	pthread_once(&inner, leave);
	assert(calls == 2);
}

static void *use(void *arg)
{
	pthread_once(&once, initialise);
	assert(value == 42);
	return arg;
}

int main(void)
{
	two(use, NULL, use, NULL);
	assert(calls == 2);
	return 0;
}
