/* SPDX-License-Identifier: ISC */
/*
 * barrier.h - barriers; see object.def.
 *
 * State: threads of a round (0: not initialised) | those that have arrived in this round | a number
 * of the last complete round.
 *
 * Schedules have this state. In an execution graph arrivals are not ordered, and none is the last
 * (Kokologiannakis 2023, 7.1): ARRIVE and LEAVE are labels of their own.
 */
#ifndef OBJECT_BARRIER_H
#define OBJECT_BARRIER_H

#include "object/step.h"

/* Results of ARRIVE. */
enum {
	BARRIER_WAITS,
	BARRIER_CROWDED, /* only in a graph: more threads arrive than a round has */
	BARRIER_LAST,	 /* the round is complete: the thread does not LEAVE */
};

#define BARRIER_MAX	    1023 /* threads: more never meet */
#define BARRIER_ARRIVED	    10
#define BARRIER_ROUND	    32

static inline u64 barrier_pack(u32 count, u32 arrived, u32 round)
{
	count = count < BARRIER_MAX ? count : BARRIER_MAX;
	arrived = arrived < BARRIER_MAX ? arrived : BARRIER_MAX;
	return count | (u64)arrived << BARRIER_ARRIVED | (u64)round << BARRIER_ROUND;
}

static inline u32 barrier_count(u64 state)
{
	return state & BARRIER_MAX;
}

static inline u32 barrier_arrived(u64 state)
{
	return state >> BARRIER_ARRIVED & BARRIER_MAX;
}

static inline OBJECT_STEP(barrier)
{
	u32 count = barrier_count(state), arrived = barrier_arrived(state),
	    round = (u32)(state >> BARRIER_ROUND);

	switch (op) {
	case OBJECT_INIT_BARRIER:
		return step_writes(argument, 0);
	case OBJECT_BARRIER_ARRIVE:
		if (!count)
			return step_reads(OBJECT_MISUSE);
		if (arrived + 1 != count)
			return step_writes(barrier_pack(count, arrived + 1, round),
				BARRIER_WAITS);
		return step_writes(barrier_pack(count, 0, round + count), BARRIER_LAST);
	case OBJECT_BARRIER_LEAVE:
		if (argument >> BARRIER_ROUND == round)
			return step_waits();
		return step_reads(0);
	case OBJECT_BARRIER_SERIAL:
		return state == argument ? step_reads(0) : step_writes(argument, 1);
	default:
		if (!count || arrived)
			return step_reads(OBJECT_MISUSE);
		return step_writes(0, 0);
	}
}

#endif
