/* SPDX-License-Identifier: ISC */
/*
 * robust.h - robust mutexes: locked by a thread that exits.
 *
 * The next thread that locks it gets EOWNERDEAD and has the mutex; unless it calls
 * pthread_mutex_consistent() before unlocking it, the mutex cannot be locked again:
 * ENOTRECOVERABLE. The state lies in glibc's fields; the mutexes of a thread are a list through
 * __list. Only the owner can observe that a mutex is inconsistent, so this is not an event; the
 * state that remains when it is unlocked, or when the owner exits, is the argument of
 * OBJECT_UNLOCK.
 */
#ifndef SYNC_ROBUST_H
#define SYNC_ROBUST_H

#include "machine/machine.h"

#include <limits.h>
#include <pthread.h>

#define ROBUST_KIND	    16		  /* in __kind */
#define ROBUST_INCONSISTENT 3		  /* __lock: held, from an owner that had exited */
#define ROBUST_DEAD	    INT_MAX	  /* __owner while it is free: the owner has exited */
#define ROBUST_GONE	    (INT_MAX - 1) /* __owner: not recoverable, as glibc has it */
#define ROBUST_KERNEL_DEAD  0x40000000	  /* in __lock: FUTEX_OWNER_DIED, before the exploration */

static inline bool robust_is(const pthread_mutex_t *m)
{
	return m->__data.__kind & ROBUST_KIND;
}

static inline bool robust_is_dead(const pthread_mutex_t *m)
{
	return robust_is(m) && (m->__data.__lock ? (m->__data.__lock & ROBUST_KERNEL_DEAD) != 0
						 : m->__data.__owner == ROBUST_DEAD);
}

static inline bool robust_is_gone(const pthread_mutex_t *m)
{
	return robust_is(m) && !m->__data.__lock && m->__data.__owner == ROBUST_GONE;
}

/* The state of a held mutex. */
static inline bool robust_is_inconsistent(const pthread_mutex_t *m)
{
	return robust_is(m) && m->__data.__lock == ROBUST_INCONSISTENT;
}

/* Parts of a step. The calling thread gets the mutex: returns 0 or EOWNERDEAD. / It releases it:
 * returns the new __owner. / It exits. */
int robust_take(pthread_mutex_t *m);
int robust_release(pthread_mutex_t *m);
void robust_die(pthread_mutex_t *m);

/* pthread_mutex_consistent() */
int robust_consistent(pthread_mutex_t *m);

/* The calling thread exits. */
void robust_thread_ends(void);

#endif
