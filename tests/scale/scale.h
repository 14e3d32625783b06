/* SPDX-License-Identifier: ISC */
/* scale.h - what the programs of this folder share: threads by number, pseudo-random numbers. */
#ifndef SCALE_H
#define SCALE_H

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_MOST 128

static pthread_t scale_threads[THREADS_MOST];

/* Start f(0) ... f(n - 1), as threads first ... first + n - 1. */
static inline void start(int first, int n, void *(*f)(void *))
{
	for (int i = 0; i < n; i++)
		if (pthread_create(&scale_threads[first + i], NULL, f, (void *)(intptr_t)i))
			abort();
}

static inline void join(int first, int n)
{
	for (int i = 0; i < n; i++)
		pthread_join(scale_threads[first + i], NULL);
}

static inline unsigned next_random(unsigned *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 16;
}

#endif
