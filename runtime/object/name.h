/* SPDX-License-Identifier: ISC */
/* name.h - a name that threads open, as of a semaphore in the file system; see object.def. */
#ifndef OBJECT_NAME_H
#define OBJECT_NAME_H

#include "object/step.h"

/* The file system orders all operations, so even one that does not change the name is a write. */
static inline OBJECT_STEP(name)
{
	struct object_step s = step_writes(state, state);

	s.acquire = s.release = true;
	switch (op) {
	case OBJECT_NAME_OPEN:
		if (!state)
			s.next = s.result = argument;
		return s;
	case OBJECT_NAME_CREATE:
		s.result = state ? 0 : argument;
		s.next = state ? state : argument;
		return s;
	default:
		s.next = 0;
		return s;
	}
}

#endif
