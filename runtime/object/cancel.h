/* SPDX-License-Identifier: ISC */
/* cancel.h - requests to cancel a thread; see object.def. */
#ifndef OBJECT_CANCEL_H
#define OBJECT_CANCEL_H

#include "object/step.h"

enum cancel_state { CANCEL_NONE, CANCEL_PENDING, CANCEL_ACTED };

static inline OBJECT_STEP(cancel)
{
	if (op == OBJECT_CANCEL_SEND)
		return state == CANCEL_NONE ? step_releases(CANCEL_PENDING) : step_reads(0);
	if (state == CANCEL_PENDING)
		return step_acquires(CANCEL_ACTED, 1);
	return op == OBJECT_CANCEL_TAKE ? step_waits() : step_reads(0);
}

#endif
