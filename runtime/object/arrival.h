/* SPDX-License-Identifier: ISC */
/* arrival.h - has a signal arrived at a thread that may handle it? See object.def. */
#ifndef OBJECT_ARRIVAL_H
#define OBJECT_ARRIVAL_H

#include "object/step.h"

static inline OBJECT_STEP(arrival)
{
	if (op == OBJECT_SIGNAL_ARRIVE)
		return state ? step_reads(0) : step_releases(1);
	return state ? step_acquires(0, 1) : step_reads(0);
}

#endif
