/* SPDX-License-Identifier: ISC */
/* life.h - operations of all objects: initialisation, destruction, steps that are only ordered. */
#ifndef OBJECT_LIFE_H
#define OBJECT_LIFE_H

#include "base/prng.h"
#include "object/step.h"

static inline OBJECT_STEP(life)
{
	struct object_step s = step_writes(argument, 0);
	bool none = state == OBJECT_DESTROYED, locked = state & ~(OBJECT_DEAD | OBJECT_GONE);

	switch (op) {
	case OBJECT_INIT_LOCK:
		s.result = !none && locked;
		return s;
	case OBJECT_DESTROY:
		return none || locked ? step_reads(OBJECT_MISUSE)
				      : step_writes(OBJECT_DESTROYED, 0);
	case OBJECT_OUTSIDE:
	case OBJECT_ORDERED: /* later steps may depend on all earlier ones, and on their order */
		s.next = prng_mix(state ^ argument);
		s.result = state;
		s.acquire = s.release = op == OBJECT_ORDERED;
		return s;
	default:
		return s;
	}
}

#endif
