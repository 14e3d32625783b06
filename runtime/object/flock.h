/* SPDX-License-Identifier: ISC */
/* flock.h - the locks of flock() on a file; see object.def. */
#ifndef OBJECT_FLOCK_H
#define OBJECT_FLOCK_H

#include "object/step.h"

#define FLOCK_MAX 64 /* open files (not descriptors) that lock one file, or have copies */

#define FLOCK_FULL UINT64_MAX /* a result: a limit */

enum flock_kind { FLOCK_NONE, FLOCK_SHARED, FLOCK_EXCLUSIVE };

/* The argument of all operations: the number of an open file; the lock that it takes, or (DROP) may
 * keep. */
static inline u64 flock_argument(u32 description, enum flock_kind kind)
{
	return description | (u64)kind << 32;
}

OBJECT_STEP(flock);

#endif
