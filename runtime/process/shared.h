/* SPDX-License-Identifier: ISC */
/*
 * shared.h - memory shared by all processes of an exploration (--jobs), and its lock.
 *
 * A lock is a word in such memory: the process id of its holder, 0 = free. It is held for a few
 * instructions, so waiters spin. A holder may be killed; the parent then releases the lock
 * for it (search/jobs/share_parent.c).
 */
#ifndef PROCESS_SHARED_H
#define PROCESS_SHARED_H

#include "base/base.h"

/* Zeroed memory of `size` bytes that processes forked later have in common with this one. NULL:
 * there is none. */
void *shared_pages(size_t size);

/* Acquire lock l; release it. */
void shared_take(volatile u32 *l);
void shared_give(volatile u32 *l);

/* The lock of all such memory without its own: no effect after shared_begin(NULL). */
void shared_begin(volatile u32 *l);
void shared_lock(void);
void shared_unlock(void);

/* A bell is a counter. Ring it; wait until it differs from `seen`, at most so long, 0: for ever. */
void shared_ring(volatile u32 *bell);
void shared_wait(volatile u32 *bell, u32 seen, u32 milliseconds);

/* In a new process: its id differs. */
void shared_forked(void);

#endif
