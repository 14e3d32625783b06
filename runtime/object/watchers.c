/* SPDX-License-Identifier: ISC */
/* watchers.c - see watchers.h. */
#include "object/watchers.h"
#include "object/state_table.h"

u32 watchers_of(u64 state, const u64 **entry)
{
	u32 size = 0;

	*entry = state ? state_of(state, &size) : NULL;
	return *entry && size <= WATCHERS_ENTRIES * sizeof **entry ? size / (u32)sizeof **entry : 0;
}

OBJECT_STEP(watchers)
{
	const u64 *entry;
	u64 next[WATCHERS_ENTRIES];
	u32 n = watchers_of(state, &entry);
	struct object_step s = step_reads(state);

	for (u32 i = 0; op == OBJECT_WATCHERS_ADD && i < n; i++)
		if (entry[i] == argument)
			return step_reads(1);
	if (op == OBJECT_WATCHERS_ADD) {
		if (n == WATCHERS_ENTRIES)
			return step_reads(0);
		for (u32 i = 0; i < n; i++)
			next[i] = entry[i];
		next[n++] = argument;
		s = step_writes(state_intern(next, n * (u32)sizeof *next), 1);
	}
	s.acquire = true;
	s.release = s.writes;
	return s;
}
