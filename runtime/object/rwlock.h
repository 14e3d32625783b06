/* SPDX-License-Identifier: ISC */
/* rwlock.h - read-write locks; see object.def. */
#ifndef OBJECT_RWLOCK_H
#define OBJECT_RWLOCK_H

#include "object/step.h"

#define RWLOCK_WRITER	  0xffffull
#define RWLOCK_READER	  (1ull << 16)
#define RWLOCK_READERS	  (0xffffull << 16)
#define RWLOCK_ANNOUNCED (1ull << 32)

static inline struct object_step rwlock_take_read(bool tries, u64 state)
{
	bool writers_first = state >= RWLOCK_ANNOUNCED && state & RWLOCK_READERS;

	if (!(state & RWLOCK_WRITER) && !writers_first)
		return step_acquires(state + RWLOCK_READER, tries);
	return tries ? step_reads(0) : step_waits();
}

static inline struct object_step rwlock_take_write(
	bool tries, bool announced, u32 thread, u64 state)
{
	u64 rest = state - (announced ? RWLOCK_ANNOUNCED : 0);

	if (!(state & (RWLOCK_WRITER | RWLOCK_READERS)))
		return step_acquires(rest | (thread + 1), tries);
	if (!tries)
		return step_waits();
	return announced ? step_writes(rest, 0) : step_reads(0);
}

static inline struct object_step rwlock_free(u32 thread, u64 state)
{
	u64 writer = state & RWLOCK_WRITER;

	if (writer)
		return writer == thread + 1 || writer == OBJECT_UNKNOWN_OWNER
			? step_releases(state & ~RWLOCK_WRITER) : step_reads(OBJECT_MISUSE);
	return state & RWLOCK_READERS ? step_releases(state - RWLOCK_READER)
				      : step_reads(OBJECT_MISUSE);
}

static inline OBJECT_STEP(rwlock)
{
	if (state == OBJECT_DESTROYED)
		return step_reads(OBJECT_MISUSE);
	switch (op) {
	case OBJECT_RDLOCK:
	case OBJECT_TRYRDLOCK:
		return rwlock_take_read(op == OBJECT_TRYRDLOCK, state);
	case OBJECT_WRLOCK:
	case OBJECT_TRYWRLOCK:
		return rwlock_take_write(op == OBJECT_TRYWRLOCK, false, thread, state);
	case OBJECT_ANNOUNCE:
		return step_writes(state + RWLOCK_ANNOUNCED, 0);
	case OBJECT_ANNOUNCED_WRLOCK:
	case OBJECT_ANNOUNCED_TRYWRLOCK:
		return rwlock_take_write(op == OBJECT_ANNOUNCED_TRYWRLOCK, true, thread, state);
	default:
		return rwlock_free(thread, state);
	}
}

#endif
