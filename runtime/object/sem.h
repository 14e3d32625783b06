/* SPDX-License-Identifier: ISC */
/* sem.h - semaphores; see object.def. */
#ifndef OBJECT_SEM_H
#define OBJECT_SEM_H

#include "object/step.h"

#define SEM_MAX 0x7fffffffu /* SEM_VALUE_MAX */

static inline OBJECT_STEP(sem)
{
	if (op == OBJECT_INIT_SEM)
		return step_writes(argument, 0);
	if (state == OBJECT_DESTROYED)
		return step_reads(OBJECT_MISUSE);
	switch (op) {
	case OBJECT_SEM_POST:
		return state < SEM_MAX ? step_releases(state + 1) : step_reads(1);
	case OBJECT_SEM_VALUE:
		return step_reads(state);
	case OBJECT_SEM_DESTROY:
		return step_writes(OBJECT_DESTROYED, 0);
	default:
		if (state)
			return step_acquires(state - 1, op == OBJECT_SEM_TRYWAIT);
		return op == OBJECT_SEM_TRYWAIT ? step_reads(0) : step_waits();
	}
}

#endif
