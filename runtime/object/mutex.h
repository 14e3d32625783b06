/* SPDX-License-Identifier: ISC */
/* mutex.h - mutexes, robust ones, spinlocks; see object.def. */
#ifndef OBJECT_MUTEX_H
#define OBJECT_MUTEX_H

#include "object/step.h"

static inline OBJECT_STEP(mutex)
{
	u64 self = thread + 1;

	if (state == OBJECT_DESTROYED)
		return step_reads(OBJECT_MISUSE);
	if (op == OBJECT_UNLOCK)
		return state == self || state == OBJECT_UNKNOWN_OWNER ? step_releases(argument)
								 : step_reads(OBJECT_MISUSE);
	if (state == OBJECT_GONE)
		return step_reads(OBJECT_NOT_RECOVERABLE);
	if (!state || state == OBJECT_DEAD)
		return step_acquires(self, state ? OBJECT_OWNER_DEAD : op == OBJECT_TRYLOCK);
	return op == OBJECT_TRYLOCK ? step_reads(0) : step_waits();
}

#endif
