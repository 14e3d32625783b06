/* SPDX-License-Identifier: ISC */
/* action.h - dispositions of signals, as set by sigaction() and signalfd(); see object.def. */
#ifndef OBJECT_ACTION_H
#define OBJECT_ACTION_H

#include "object/step.h"

static inline OBJECT_STEP(action)
{
	struct object_step s =
		op == OBJECT_ACTION_GET ? step_reads(state) : step_writes(argument, 0);

	s.acquire = true;
	s.release = s.writes;
	return s;
}

#endif
