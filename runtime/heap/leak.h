/* SPDX-License-Identifier: ISC */
/*
 * leak.h - unreachable heap blocks at the end of an execution.
 *
 * A block leaks if, at the end, no chain of pointers leads to it from variables, blocks that were
 * there before, stacks and thread-specific data. Any aligned word counts as a pointer that, with or
 * without its upper 16 bits (where lock-free code keeps tags), is an address in the block. So
 * blocks may be missed, but a reported one is lost (unless its address is encoded in another way).
 */
#ifndef HEAP_LEAK_H
#define HEAP_LEAK_H

#include "event/finding.h"
#include "heap/heap.h"

/* On the store-buffer machine, called by the thread that ends the execution, when all others have
 * ended: a leak is a finding, which ends it. */
void leak_check(void);

/* The first block that leaks, when all threads but the running one have ended (or no execution is
 * under way); *f has the total lost. NULL: none. */
const struct heap_block *leak_find(struct finding *f);

/* Record the failure, by this thread, at the place of the block's allocation. Returns the step. */
u32 leak_record(const struct heap_block *b, u16 thread);

#endif
