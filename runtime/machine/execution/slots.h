/* SPDX-License-Identifier: ISC */
/*
 * slots.h - the slot of a thread's n-th child: the same in every execution, and in all processes.
 *
 * Addresses depend on slots (thread.c), and locations on addresses. In a single process, slots are
 * assigned in the order of requests; parents keep lists of their children. After
 * thread_slots_begin() they are in a table that is shared with processes forked later.
 */
#ifndef MACHINE_EXECUTION_SLOTS_H
#define MACHINE_EXECUTION_SLOTS_H

#include "machine/machine.h"

struct thread_slots {
	u32 used, n; /* slots that ever existed; children in the list */
	struct {
		u16 parent, nth, slot;
	} child[THREADS_MAX];
};
extern struct thread_slots *thread_slots; /* NULL: there is one process */

/* A new search: no thread but main has a slot. */
void thread_slots_forget(void);

/* Other processes may follow. BUG without memory. */
void thread_slots_begin(void);

/* Slot of the n-th child (1 first) of the thread in slot `parent`. 0: there are too many. */
u16 thread_slot(u16 parent, u16 nth);

#endif
