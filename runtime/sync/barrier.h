/* SPDX-License-Identifier: ISC */
/*
 * barrier.h - barriers, while exploring.
 *
 * Arriving is a step, leaving another. The counters are glibc's (in, current_round, count), so that
 * a barrier that was initialised or used before the exploration works. The last to arrive is the
 * serial thread. Functions return the result of the pthread function.
 *
 * In an execution graph arrivals have no order (theory of barriers: Kokologiannakis 2023, 7.1). Any
 * thread of a round may be the serial one: if the program uses the result, the first thread that
 * asks. More threads than the barrier's count are not supported there, but detected
 * (--detect=barrier): each ARRIVE records whether its thread exceeds the count.
 */
#ifndef SYNC_BARRIER_H
#define SYNC_BARRIER_H

#include "machine/machine.h"

#include <pthread.h>

/* Before that function: in a graph `count` is ordinary memory. */
void barrier_init_begins(pthread_barrier_t *b, u32 count);
void barrier_begin(pthread_barrier_t *b); /* after glibc's pthread_barrier_init, natively too */
/* asks: the result tells whether it is the serial thread; else there is none. */
int barrier_wait(pthread_barrier_t *b, bool asks);

int barrier_destroy(pthread_barrier_t *b);

#endif
