/* SPDX-License-Identifier: ISC */
/* waiting.c - see waiting.h. */
#include "sync/waiting.h"
#include "machine/wait/sync.h"
#include "object/state_table.h"
#include "object/waiters.h"

#define OBJECTS 256

_Static_assert(THREADS_MAX <= WAITERS_MAX, "every thread may wait");

/* Entries of this execution come first: no others need to be restored. */
static struct { const void *obj; u64 state; } table[OBJECTS];
static PER_EXECUTION u32 used;

static u32 find_kept_object(const void *obj)
{
	u32 i = 0;

	while (i < used && table[i].obj != obj)
		i++;
	return i;
}

u64 waiting_state(const void *obj)
{
	u32 i = find_kept_object(obj);

	return i < used ? table[i].state : 0;
}

static void forget_waiters(const void *obj)
{
	u32 i = find_kept_object(obj);

	if (i < used)
		table[i] = table[--used];
}

/* For comparisons of the program's state. */
static void each_state(void (*see)(u64 start, u64 end))
{
	see((u64)(uintptr_t)table, (u64)(uintptr_t)(table + used));
}

void waiting_keep(const void *obj, u64 state)
{
	u32 i = find_kept_object(obj);

	if (!state || state == OBJECT_DESTROYED) {
		forget_waiters(obj);
	} else {
		if (i == used && used++ == OBJECTS)
			machine_refuse("limit: more than %u conditions and futexes are waited for, "
				       "or names used",
				OBJECTS);
		machine_hooks.each_state = each_state;
		table[i].obj = obj;
		table[i].state = state;
	}
	sync_changed(obj);
}

void waiting_check(void)
{
	if (state_table_is_full())
		machine_refuse("%s", state_table_limit);
}
