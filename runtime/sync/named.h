/* SPDX-License-Identifier: ISC */
/*
 * named.h - named semaphores, while exploring.
 *
 * A name belongs to one execution: at its beginning no name has a semaphore. The semaphore is a
 * shadow (shadow.h) of the call of sem_open() that may have created it. Functions return 0 or an
 * error number.
 */
#ifndef SYNC_NAMED_H
#define SYNC_NAMED_H

#include <semaphore.h>

int named_open(const char *name, int flags, unsigned value, sem_t **sem);
int named_unlink(const char *name);
int named_close(sem_t *sem);

#endif
