/* SPDX-License-Identifier: ISC */
/*
 * own_memory.h - memory that only one thread accesses: an access made again needs no engine.
 *
 * Idea.   While a graph is followed, an access to memory of a single thread is no event, and it is
 *         checked once: machine/access/again.h performs the same access from then on.
 *         That other threads access the memory, too, is learnt once, and begins another native
 *         execution.
 * Stores. The states of loops (loop_state.h) contain the thread's writes to its own memory: a
 *         store is noted once after each state that is kept, which ends the epoch of stores.
 * Not.    Blocks of the heap that several threads use, whose uses are events; memory with the
 *         pattern of fresh.h; the first OWN_FEW accesses of an execution, as most are short.
 */
#ifndef GRAPH_OWN_MEMORY_H
#define GRAPH_OWN_MEMORY_H

#include "machine/access/again.h"

#define OWN_FEW TINY(1, 128)

/* A native execution begins: may its accesses be made again? */
void own_memory_begin(bool on);
/* Threads run, or the explorer does. */
void own_memory_run(bool on);

/* All memory may now be that of any thread. */
void own_memory_renew(void);

/* A thread begins in this slot. */
void own_memory_thread(u32 slot);

/* The running thread has made an access within a granule, which only it accesses. */
void own_memory_note(u64 addr, u32 size, bool write);

/* Stores of the running thread have to be noted again. */
void own_memory_state_kept(void);

/* The memory now belongs to another variable. */
static inline void own_memory_forget(u64 addr, u64 size)
{
	if (private_quick)
		private_forget(addr, size);
}

#endif
