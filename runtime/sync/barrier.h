/* SPDX-License-Identifier: ISC */
/*
 * barrier.h - barriers, while exploring.
 *
 * Arriving is a step, leaving another. The counters are glibc's (in, current_round, count), so that
 * a barrier that was initialised or used before the exploration works. The last to arrive is the
 * serial thread. Functions return what the pthread function returns.
 *
 * In an execution graph arrivals have no order (theory of barriers: Kokologiannakis 2023, 7.1). Any
 * thread of a round may be the serial one: it is the first that asks, if the program looks at the
 * result. More threads than the barrier's count are not supported there, but found
 * (--detect=barrier): the graph has for each ARRIVE whether its thread exceeds the count.
 */
#ifndef SYNC_BARRIER_H
#define SYNC_BARRIER_H

#include "machine/machine.h"

#include <pthread.h>

/* Before that function: in a graph `count` is ordinary memory. */
void barrier_init_begins(pthread_barrier_t *b, u32 count);
void barrier_begin(pthread_barrier_t *b); /* after glibc's pthread_barrier_init, natively too */
/* asks: whether it is the serial thread; else the result is nothing. */
int barrier_wait(pthread_barrier_t *b, bool asks);

int barrier_destroy(pthread_barrier_t *b);

#endif
