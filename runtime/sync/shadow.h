/* SPDX-License-Identifier: ISC */
/*
 * shadow.h - a pthread object for an object of a library that is smaller, or laid out differently.
 *
 * A program's GMutex is a pointer; our state of a mutex is in a pthread_mutex_t. So the GMutex gets
 * one, its shadow, at an address that depends only on its own; it is zero, which means free, at its
 * first use in each execution.
 */
#ifndef SYNC_SHADOW_H
#define SYNC_SHADOW_H

#include "machine/machine.h"

#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t *shadow_mutex(const void *of, bool recursive);
pthread_rwlock_t *shadow_rwlock(const void *of);
pthread_cond_t *shadow_cond(const void *of);
sem_t *shadow_sem(const void *of);

#endif
