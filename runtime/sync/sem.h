/* SPDX-License-Identifier: ISC */
/*
 * sem.h - unnamed POSIX semaphores, while exploring.
 *
 * The value lies in the program's sem_t where glibc keeps it. Functions return 0 or an error
 * number; the interceptors turn that into -1 and errno.
 */
#ifndef SYNC_SEM_H
#define SYNC_SEM_H

#include "machine/machine.h"

#include <semaphore.h>
#include <time.h>

void sem_init_begins(sem_t *s, unsigned value); /* before sem_init() of glibc */
void sem_begin(sem_t *s); /* after glibc's sem_init, natively too */
void sem_set(sem_t *s, unsigned value); /* instead of sem_init(), while exploring */
int sem_take(sem_t *s);
int sem_try(sem_t *s);
int sem_take_until(sem_t *s, clockid_t clock, const struct timespec *at);
int sem_give(sem_t *s);
int sem_value(sem_t *s, int *value);
int sem_end(sem_t *s); /* sem_destroy */

#endif
