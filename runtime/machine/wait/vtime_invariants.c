/* SPDX-License-Identifier: ISC */
/* vtime_invariants.c - time never goes back (make TINY=1). */
#include "machine/invariants.h"
#include "machine/core.h"

/* The last time read by each thread with its own clock, and by all others. */
static u64 latest[THREADS_MAX + 1];

void vtime_check_begin(void)
{
	for (u32 i = 0; i < array_size(latest); i++)
		latest[i] = 0;
}

void vtime_check(u64 now)
{
	u64 *before = &latest[tally() == &M.tally ? THREADS_MAX : M.cur->slot];

	BUG_ON(now < *before);
	*before = now;
}
