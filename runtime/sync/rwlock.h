/* SPDX-License-Identifier: ISC */
/*
 * rwlock.h - read-write locks, while exploring.
 *
 * The state lies in the program's pthread_rwlock_t with glibc's meaning: __readers counts readers
 * above three flag bits, __cur_writer is the writer. glibc's unused __pad2 counts the read locks of
 * each of the first 16 threads, so that unlocking without holding is detected. Readers do not wait
 * for waiting writers, unless the lock has that attribute, as in glibc. Functions return the result
 * of the pthread function; a writer that locks again gets EDEADLK.
 */
#ifndef SYNC_RWLOCK_H
#define SYNC_RWLOCK_H

#include "machine/machine.h"

#include <pthread.h>
#include <time.h>

int rwlock_rdlock(pthread_rwlock_t *l);
int rwlock_wrlock(pthread_rwlock_t *l);
int rwlock_tryrdlock(pthread_rwlock_t *l);
int rwlock_trywrlock(pthread_rwlock_t *l);
int rwlock_timedrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *at);
int rwlock_timedwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *at);
int rwlock_unlock(pthread_rwlock_t *l);
int rwlock_destroy(pthread_rwlock_t *l);
void rwlock_init_begins(pthread_rwlock_t *l); /* sync_init_begins() */

#endif
