/* SPDX-License-Identifier: ISC */
/*
 * key.h - thread-specific data (pthread_key_create, tss_create), while exploring.
 *
 * Keys and values of an execution are kept in tables here, and end with it. A key that was created
 * natively stays valid; the main thread still sees the value it has set natively until it sets
 * another one, which holds for this execution only.
 */
#ifndef MACHINE_EXECUTION_KEY_H
#define MACHINE_EXECUTION_KEY_H

#include "machine/machine.h"

#define KEYS_MAX 1024 /* PTHREAD_KEYS_MAX: native keys are below it */

/* Natively: note a key that libc has created or deleted. */
void key_note_native(u32 key, void (*destructor)(void *));
void key_forget_native(u32 key);

/* 0, or EAGAIN when there are too many. */
int key_create(u32 *key, void (*destructor)(void *));
int key_delete(u32 key); /* 0 or EINVAL */

/* 0 or EINVAL. */
int key_set(u32 key, void *value);

/* The calling thread's value. False: ask libc, it was set natively. */
bool key_get(u32 key, void **value);

/* The thread begins without values: its slot was used before. */
void key_forget(unsigned thread);

/* The values of all threads in this execution. */
void key_each(void (*see)(u64 value));

/* The calling thread ends: call destructors until no values are left (at most 4 times). */
void key_run_destructors(void);

#endif
