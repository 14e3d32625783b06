/* SPDX-License-Identifier: ISC */
/* sync.h - what the synchronisation objects share: misuse of one is a finding. */
#ifndef MACHINE_SYNC_H
#define MACHINE_SYNC_H

#include "machine/machine.h"

/* The calling thread has misused obj by an operation of this kind; ends the execution. The event is
 * recorded first, so that the report shows the object. */
#define sync_misuse(kind, obj, ...)                                                                \
	do {                                                                                       \
		sync_event(kind, obj, 0, 0);                                                       \
		machine_fail(FINDING_MISUSE, NULL, 0, NULL, __VA_ARGS__);                          \
	} while (0)

/* An operation that can always be carried out, as an initialiser of a struct sync_op. */
#define SYNC_ALWAYS(kind) {kind, NULL, NULL}

/* A thread as the objects keep their owner: never 0, and never a native thread id (those end at
 * 2^22), so that a lock taken natively before the exploration is known as the main thread's. */
#define SYNC_OWNER 0x40000000

static inline int sync_owner(const struct thread *t)
{
	return (int)(SYNC_OWNER | thread_id(t));
}

/* The thread id behind an owner; 0 (the main thread) for one from before the exploration. */
static inline int sync_owner_id(int owner)
{
	return owner & SYNC_OWNER ? owner & ~SYNC_OWNER : 0;
}

/* Its name in reports: "main", "T2"; "nobody" for -1. Valid until the next call. */
const char *sync_thread(int id);

/*
 * Around libc's own initialiser of obj, which only fills the object in; nothing happens natively. It
 * is a step: stores to the object that are still under way must not undo it, and others may come
 * before. Returns result.
 */
void sync_init_begins(const void *obj);
int sync_init_ends(const void *obj, u64 argument, int result);

#endif
