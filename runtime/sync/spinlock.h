/* SPDX-License-Identifier: ISC */
/*
 * spinlock.h - pthread_spin_*, while exploring: waiters block, none spins.
 *
 * The state lies in the program's pthread_spinlock_t, with glibc's value for "free". On
 * x86 a lock that was never initialised is locked, here as natively. Functions return the result of
 * the pthread function.
 */
#ifndef SYNC_SPINLOCK_H
#define SYNC_SPINLOCK_H

#include "machine/machine.h"

#include <pthread.h>

int spinlock_lock(pthread_spinlock_t *s);
int spinlock_trylock(pthread_spinlock_t *s);
int spinlock_unlock(pthread_spinlock_t *s);
int spinlock_destroy(pthread_spinlock_t *s);
void spinlock_init_begins(pthread_spinlock_t *s); /* sync_init_begins() */

#endif
