/* SPDX-License-Identifier: ISC */
/* rwlock.c - read-write locks; see object.def. */
#include "object/step.h"

#define WRITER	  0xffffull
#define READER	  (1ull << 16)
#define READERS	  (0xffffull << 16)
#define ANNOUNCED (1ull << 32)

static struct object_step rwlock_read(bool tries, u64 state)
{
	bool writers_first = state >= ANNOUNCED && state & READERS;

	if (!(state & WRITER) && !writers_first)
		return step_acquires(state + READER, tries);
	return tries ? step_reads(0) : step_waits();
}

static struct object_step rwlock_write(bool tries, bool announced, u32 thread, u64 state)
{
	u64 rest = state - (announced ? ANNOUNCED : 0);

	if (!(state & (WRITER | READERS)))
		return step_acquires(rest | (thread + 1), tries);
	if (!tries)
		return step_waits();
	return announced ? step_writes(rest, 0) : step_reads(0);
}

static struct object_step rwlock_unlock(u32 thread, u64 state)
{
	u64 writer = state & WRITER;

	if (writer)
		return writer == thread + 1 || writer == OBJECT_SOMEBODY
			? step_releases(state & ~WRITER) : step_reads(OBJECT_MISUSE);
	return state & READERS ? step_releases(state - READER) : step_reads(OBJECT_MISUSE);
}

OBJECT_STEP(rwlock)
{
	switch (op) {
	case OBJECT_RDLOCK:
	case OBJECT_TRYRDLOCK:
		return rwlock_read(op == OBJECT_TRYRDLOCK, state);
	case OBJECT_WRLOCK:
	case OBJECT_TRYWRLOCK:
		return rwlock_write(op == OBJECT_TRYWRLOCK, false, thread, state);
	case OBJECT_ANNOUNCE:
		return step_writes(state + ANNOUNCED, 0);
	case OBJECT_ANNOUNCED_WRLOCK:
	case OBJECT_ANNOUNCED_TRYWRLOCK:
		return rwlock_write(op == OBJECT_ANNOUNCED_TRYWRLOCK, true, thread, state);
	default:
		return rwlock_unlock(thread, state);
	}
}
