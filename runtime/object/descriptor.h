/* SPDX-License-Identifier: ISC */
/* descriptor.h - descriptors, and their numbers; see object.def. */
#ifndef OBJECT_DESCRIPTOR_H
#define OBJECT_DESCRIPTOR_H

#include "object/step.h"

/* At once: a state is no number (state_table.h). */
#define DESCRIPTORS_OPEN 60

static inline OBJECT_STEP(number)
{
	u64 from = argument < DESCRIPTORS_OPEN ? ~(u64)0 << argument : 0;
	u64 free = ~state & from & (((u64)1 << DESCRIPTORS_OPEN) - 1);

	if (op == OBJECT_NUMBER_RELEASE)
		return step_releases(state & ~((u64)1 << argument));
	if (op == OBJECT_NUMBER_MARK)
		return step_acquires(state | (u64)1 << argument, state >> argument & 1);
	if (!free)
		return step_reads(0);
	return step_acquires(state | (free & -free), (u64)__builtin_ctzll(free) + 1);
}

static inline OBJECT_STEP(descriptor)
{
	struct object_step s =
		op == OBJECT_DESCRIPTOR_GET ? step_reads(state) : step_writes(argument, state);

	s.acquire = true; /* of the writes before it was opened */
	s.release = s.writes;
	return s;
}

#endif
