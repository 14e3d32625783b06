/* SPDX-License-Identifier: ISC */
/* watchers.h - the epoll instances that an object notifies; see object.def. A state is the number
 * of these (state_table.h), 0: none. */
#ifndef OBJECT_WATCHERS_H
#define OBJECT_WATCHERS_H

#include "object/step.h"

#define WATCHERS_ENTRIES 16

/* Which instance, as which number, and as readers or writers (interest_notifies()). Numbers of
 * objects have 24 bits. */
static inline u64 watcher_entry(u32 epoll, u32 number, u32 sides)
{
	return epoll | (u64)number << 24 | (u64)sides << 48;
}

static inline u32 watcher_epoll(u64 entry)
{
	return entry & 0xffffff;
}

static inline u32 watcher_number(u64 entry)
{
	return entry >> 24 & 0xffffff;
}

static inline u32 watcher_sides(u64 entry)
{
	return (u32)(entry >> 48);
}

/* Returns their number, at most WATCHERS_ENTRIES. */
u32 watchers_of(u64 state, const u64 **entry);

OBJECT_STEP(watchers);

#endif
