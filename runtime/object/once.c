/* SPDX-License-Identifier: ISC */
/* once.c - one-time initialisation; see object.def. */
#include "object/step.h"

enum { IS_NEW, IS_RUNNING, IS_DONE };

OBJECT_STEP(once)
{
	struct object_step s;

	if (op == OBJECT_ONCE_DONE)
		return step_releases(IS_DONE);
	if (state == IS_NEW)
		return step_acquires(IS_RUNNING, 1);
	s = state == IS_DONE ? step_reads(0) : step_waits();
	s.acquire = s.ready;
	return s;
}
