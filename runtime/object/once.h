/* SPDX-License-Identifier: ISC */
/* once.h - one-time initialisation; see object.def. */
#ifndef OBJECT_ONCE_H
#define OBJECT_ONCE_H

#include "object/step.h"

enum { ONCE_IS_NEW, ONCE_IS_RUNNING, ONCE_IS_DONE };

static inline OBJECT_STEP(once)
{
	struct object_step s;

	if (state == OBJECT_DESTROYED)
		return step_reads(OBJECT_MISUSE);
	if (op == OBJECT_ONCE_DONE)
		return step_releases(argument ? ONCE_IS_NEW : ONCE_IS_DONE);
	if (state == ONCE_IS_NEW)
		return step_acquires(ONCE_IS_RUNNING, 1);
	s = state == ONCE_IS_DONE ? step_reads(0) : step_waits();
	s.acquire = s.ready;
	return s;
}

#endif
