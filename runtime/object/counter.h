/* SPDX-License-Identifier: ISC */
/* counter.h - the counter of an eventfd; see object.def. */
#ifndef OBJECT_COUNTER_H
#define OBJECT_COUNTER_H

#include "object/channel.h"

/* A state: the value; a bit: does it have watchers (object/watchers.h)?; 12 bits each: the number
 * of times that it was raised and lowered (channel_arrivals(), channel_drains()). The kernel's
 * values end at UINT64_MAX - 1. */
#define COUNTER_BITS	36
#define COUNTER_WATCHED (1ull << (COUNTER_BITS - 1))
#define COUNTER_MAX	(COUNTER_WATCHED - 1)

static inline u64 counter_raised(u64 state, u64 value)
{
	u64 edges = state >> COUNTER_BITS, arrivals = (edges + 1) % CHANNEL_EDGES;

	return value | (edges / CHANNEL_EDGES * CHANNEL_EDGES + arrivals) << COUNTER_BITS;
}

static inline u64 counter_lowered(u64 state, u64 value)
{
	u64 edges = (state >> COUNTER_BITS) + CHANNEL_EDGES;

	return value | edges % (CHANNEL_EDGES * CHANNEL_EDGES) << COUNTER_BITS;
}

static inline OBJECT_STEP(counter)
{
	u64 value = state & COUNTER_MAX, taken = argument ? 1 : value;
	u64 watched = state & COUNTER_WATCHED, notifies = watched ? CHANNEL_NOTIFIES : 0;
	bool waits = op == OBJECT_COUNTER_READ || op == OBJECT_COUNTER_WRITE;
	struct object_step s;

	switch (op) {
	case OBJECT_COUNTER_LOOK:
		s = step_reads((value ? CHANNEL_READABLE : 0) |
			       (value < COUNTER_MAX ? CHANNEL_WRITABLE : 0) |
			       state >> COUNTER_BITS << CHANNEL_LOOK_ARRIVALS);
		s.acquire = true;
		return s;
	case OBJECT_COUNTER_READ:
	case OBJECT_COUNTER_TRYREAD:
		if (value)
			return step_acquires(counter_lowered(state, (value - taken) | watched),
				taken | notifies);
		break;
	case OBJECT_COUNTER_WATCH:
		return watched ? step_reads(0) : step_acquires(state | COUNTER_WATCHED, 0);
	default:
		if (argument <= COUNTER_MAX - value) {
			s = step_releases(counter_raised(state, (value + argument) | watched));
			s.result = 1 | notifies;
			return s;
		}
	}
	return waits ? step_waits() : step_reads(0);
}

#endif
