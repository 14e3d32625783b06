/* SPDX-License-Identifier: ISC */
/*
 * invariants.h - invariants of the machine, checked after each step (make TINY=1).
 *
 * Not part of an ordinary build. A check stops at a violated invariant, as BUG_ON() does.
 */
#ifndef MACHINE_INVARIANTS_H
#define MACHINE_INVARIANTS_H

#include "base/base.h"

struct arena_view;

/* An execution begins. / The running thread's time has become this. */
void vtime_check_begin(void);
void vtime_check(u64 now);

/* A block of an arena was allocated; freed. All are checked when an execution begins. */
void blocks_check_new(unsigned thread, const void *p, u64 size);
void blocks_check_freed(const void *p);
void blocks_check_again(const void *p, unsigned thread);
void blocks_check_view(u64 addr, const struct arena_view *v); /* NULL: none is near */
void blocks_check_end(void);

/* An event has been recorded. */
void record_check(void);

#endif
