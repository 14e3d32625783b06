/* SPDX-License-Identifier: ISC */
/*
 * alarm.h - timers that send signals, on virtual time; see object.def.
 *
 * An agent, a thread, sleeps until the timer expires. If the timer is set again, to expire no
 * earlier, it keeps its agent, which checks it on waking.
 */
#ifndef OBJECT_ALARM_H
#define OBJECT_ALARM_H

#include "object/state_table.h"
#include "object/step.h"

/* A state is its number; 0: a timer that was never set. */
struct alarm {
	u64 deadline; /* of the next expiration; 0: it is not armed */
	u64 interval; /* 0: there is only one */
	u64 wakes;    /* when its agent does; 0: there is none */
	u64 notify;   /* number of a struct alarm_notify; 0: SIGALRM */
	u32 agent;    /* its number; agents with other numbers end */
	u32 pending;  /* its signal is pending */
	u32 overrun, last_overrun; /* expirations since then; of the signal delivered last */
	u32 deleted, unused;
};

/* Arguments, as numbers: of SET; of EXPIRE. */
struct alarm_setting {
	u64 deadline, interval;
};

struct alarm_look {
	u64 now, agent;
};

/* Result of EXPIRE: the time of the agent's next check, 0: it ends; does it notify now? */
#define ALARM_NOTIFIES	 ((u64)1 << 63)
#define ALARM_NEXT(step) ((step) & ~ALARM_NOTIFIES)

static inline void alarm_read(u64 number, void *to, u32 size)
{
	u32 found = 0;
	const void *bytes = state_is_number(number) ? state_of(number, &found) : NULL;

	if (bytes && found == size)
		__builtin_memcpy(to, bytes, size);
}

static inline struct alarm alarm_of(u64 state)
{
	struct alarm a = {0};

	alarm_read(state, &a, sizeof a);
	return a;
}

/* Does a timer with this setting need another agent? */
static inline bool alarm_needs_agent(const struct alarm *a, struct alarm_setting to)
{
	return to.deadline && (!a->wakes || to.deadline < a->wakes);
}

OBJECT_STEP(alarm);

#endif
