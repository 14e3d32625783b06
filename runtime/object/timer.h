/* SPDX-License-Identifier: ISC */
/* timer.h - timerfds, on virtual time; see object.def. */
#ifndef OBJECT_TIMER_H
#define OBJECT_TIMER_H

#include "object/state_table.h"
#include "object/step.h"

/* A state is its number; 0: without both. */
struct timer {
	u64 deadline; /* of the next expiration; 0: not armed */
	u64 interval; /* 0: there is only one */
};

static inline struct timer timer_of(u64 state)
{
	u32 size;
	const struct timer *t = state_of(state, &size);

	return t && size == sizeof *t ? *t : (struct timer){0};
}

static inline u64 timer_state(struct timer t)
{
	return t.deadline || t.interval ? state_intern(&t, sizeof t) : 0;
}

/* The number of expirations by then. */
static inline u64 timer_expirations(struct timer t, u64 now)
{
	if (!t.deadline || now < t.deadline)
		return 0;
	return t.interval ? 1 + (now - t.deadline) / t.interval : 1;
}

static inline OBJECT_STEP(timer)
{
	struct timer t = timer_of(state);
	u64 n = timer_expirations(t, argument);
	struct object_step s = step_reads(state);

	s.acquire = true;
	if (op == OBJECT_TIMER_GET)
		return s;
	if (op == OBJECT_TIMER_SET) {
		s = step_writes(argument, state);
		s.acquire = s.release = true;
		return s;
	}
	if (!n)
		return step_reads(0);
	t.deadline = t.interval ? t.deadline + n * t.interval : 0;
	return step_acquires(timer_state(t), n);
}

#endif
