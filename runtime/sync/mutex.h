/* SPDX-License-Identifier: ISC */
/*
 * mutex.h - mutexes of every type, while exploring.
 *
 * The state lies in the program's own pthread_mutex_t, in glibc's fields and with glibc's meaning
 * (__lock, __count, __owner, __kind), so that static initialisers and mutexes that were initialised
 * or locked before the exploration work. Protocol and sharing attributes are accepted and change
 * nothing; for robust mutexes see robust.h. Functions return the result of the pthread function.
 *
 * Misuse that POSIX leaves undefined is a finding: unlocking a normal mutex that is not locked or
 * belongs to another thread, destroying a locked one, using a destroyed one. A normal mutex that
 * its owner locks again blocks for ever.
 */
#ifndef SYNC_MUTEX_H
#define SYNC_MUTEX_H

#include "machine/machine.h"

#include <pthread.h>
#include <time.h>

int mutex_lock(pthread_mutex_t *m);
int mutex_trylock(pthread_mutex_t *m);
int mutex_timedlock(pthread_mutex_t *m, clockid_t clock, const struct timespec *at);
int mutex_unlock(pthread_mutex_t *m);
int mutex_destroy(pthread_mutex_t *m);

void mutex_init_begins(pthread_mutex_t *m); /* sync_init_begins() */

/* For conditions. Parts of a step: none of these arrives. */
bool mutex_is_owned(const pthread_mutex_t *m, const struct thread *t);
bool mutex_knows_owner(
	const pthread_mutex_t *m);  /* to unlock that of another thread is an error, not misuse */
/* The operation that locks it, for sync_then(); NULL: the calling thread need not wait. */
const struct sync_op *mutex_then(const pthread_mutex_t *m);

/* The calling thread exits as the owner of this robust mutex. */
void mutex_abandon(pthread_mutex_t *m);

#endif
