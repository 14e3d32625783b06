/* SPDX-License-Identifier: ISC */
/* alarm.c - see alarm.h. */
#include "object/alarm.h"

static struct object_step alarm_changed(const struct alarm *a, u64 result)
{
	struct object_step s = step_writes(state_intern(a, sizeof *a), result);

	s.acquire = s.release = true;
	return s;
}

static struct object_step set(struct alarm *a, u64 argument, u64 state)
{
	struct alarm_setting to = {0};

	alarm_read(argument, &to, sizeof to);
	if (alarm_needs_agent(a, to)) {
		a->wakes = to.deadline;
		a->agent++;
	}
	a->deadline = to.deadline;
	a->interval = to.interval;
	return alarm_changed(a, state);
}

/* The number of expirations by then; one notification stands for all that come while it is
 * pending. */
static bool count_expirations(struct alarm *a, u64 now)
{
	u64 n = a->interval ? 1 + (now - a->deadline) / a->interval : 1;
	bool first = !a->pending;

	a->deadline = a->interval ? a->deadline + n * a->interval : 0;
	a->overrun = first ? (u32)(n - 1) : a->overrun + (u32)n;
	a->pending = a->notify != 0;
	return first;
}

static struct object_step expire(struct alarm *a, u64 argument)
{
	struct alarm_look look = {0};
	bool notifies;

	alarm_read(argument, &look, sizeof look);
	if (a->agent != look.agent)
		return step_reads(0);
	notifies = a->deadline && look.now >= a->deadline && count_expirations(a, look.now);
	a->wakes = a->deadline;
	return alarm_changed(a, a->wakes | (notifies ? ALARM_NOTIFIES : 0));
}

static struct object_step take_overrun(struct alarm *a)
{
	a->last_overrun = a->overrun;
	a->overrun = a->pending = 0;
	return alarm_changed(a, a->last_overrun);
}

OBJECT_STEP(alarm)
{
	struct alarm a = alarm_of(state);
	struct object_step s = step_reads(state);

	switch (op) {
	case OBJECT_ALARM_SET: return set(&a, argument, state);
	case OBJECT_ALARM_EXPIRE: return expire(&a, argument);
	case OBJECT_ALARM_TAKE: return take_overrun(&a);
	case OBJECT_ALARM_DELETE:
		a.deleted = 1;
		a.deadline = 0;
		return alarm_changed(&a, state);
	default: s.acquire = true; return s;
	}
}
