/* SPDX-License-Identifier: ISC */
/*
 * cond.h - condition variables, while exploring.
 *
 * A wait is two steps: release the mutex and begin to wait; later, wake up with the mutex. The
 * waiters are kept outside the pthread_cond_t (waiting.h), in which only glibc's clock attribute is
 * read and its mark for "destroyed" is set. A signal may wake any waiter, and a wait may end
 * spuriously (machine_spurious). Functions return the result of the pthread function.
 */
#ifndef SYNC_COND_H
#define SYNC_COND_H

#include "machine/machine.h"

#include <pthread.h>
#include <time.h>

void cond_init_begins(pthread_cond_t *c); /* sync_init_begins() */
int cond_wait(pthread_cond_t *c, pthread_mutex_t *m);
int cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
	const struct timespec *at);
clockid_t cond_clock(const pthread_cond_t *c); /* of pthread_cond_timedwait */
int cond_signal(pthread_cond_t *c);
int cond_broadcast(pthread_cond_t *c);
int cond_destroy(pthread_cond_t *c);

#endif
