/* SPDX-License-Identifier: ISC */
/*
 * barrier.h - barriers, while exploring.
 *
 * Arriving is a step, leaving another. The counters are glibc's (in, current_round, count), so that a
 * barrier that was initialised or used before the exploration works. The last to arrive is the serial
 * thread. Functions return what the pthread function returns.
 */
#ifndef MACHINE_BARRIER_H
#define MACHINE_BARRIER_H

#include "machine/machine.h"

#include <pthread.h>

int barrier_wait(pthread_barrier_t *b);
int barrier_destroy(pthread_barrier_t *b);

#endif
