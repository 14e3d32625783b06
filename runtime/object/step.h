/* SPDX-License-Identifier: ISC */
/* step.h - the steps of the objects, and macros to write them. */
#ifndef OBJECT_STEP_H
#define OBJECT_STEP_H

#include "object/object.h"

/* object_step() of one object. Short ones are in headers, so that the program's own objects
 * (sync/) have them inline. */
#define OBJECT_STEP(object)                                                                        \
	struct object_step object_##object##_step(                                                 \
		enum object_op op, u64 argument, u32 thread, u64 state)

static inline struct object_step step_waits(void)
{
	return (struct object_step){.ready = false};
}

static inline struct object_step step_reads(u64 result)
{
	return (struct object_step){.ready = true, .result = result};
}

static inline struct object_step step_writes(u64 next, u64 result)
{
	return (struct object_step){.ready = true, .writes = true, .next = next, .result = result};
}

static inline struct object_step step_acquires(u64 next, u64 result)
{
	struct object_step s = step_writes(next, result);

	s.acquire = true;
	return s;
}

static inline struct object_step step_releases(u64 next)
{
	struct object_step s = step_writes(next, 0);

	s.release = true;
	return s;
}

#endif
