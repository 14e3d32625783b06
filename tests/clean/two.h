/* SPDX-License-Identifier: ISC */
/* two.h - run two threads and wait for both. */
#ifndef TWO_H
#define TWO_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each gets its argument; with the same argument they share its target. */
static inline void two(void *(*a)(void *), void *arg_a, void *(*b)(void *), void *arg_b)
{
	pthread_t ta, tb;

	pthread_create(&ta, NULL, a, arg_a);
	pthread_create(&tb, NULL, b, arg_b);
	pthread_join(ta, NULL);
	pthread_join(tb, NULL);
}

#endif
