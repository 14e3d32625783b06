/* SPDX-License-Identifier: ISC */
/*
 * invariants.h - what is always so of the machine, looked at after each step (make TINY=1).
 *
 * Nothing of this is part of an ordinary build. A check stops with what does not hold, as BUG_ON()
 * does.
 */
#ifndef MACHINE_INVARIANTS_H
#define MACHINE_INVARIANTS_H

#include "base/base.h"

struct arena_view;

/* An execution begins; the time that the running thread sees has become this. */
void vtime_check_begin(void);
void vtime_check(u64 now);

/* Blocks of arenas, as they come and go; all that there are are looked at when an execution begins
 * again. */
void blocks_check_new(unsigned thread, const void *p, u64 size);
void blocks_check_freed(const void *p);
void blocks_check_again(const void *p, unsigned thread);
void blocks_check_view(u64 addr, const struct arena_view *v); /* NULL: none is near */
void blocks_check_end(void);

/* An event has been recorded. */
void record_check(void);

#endif
