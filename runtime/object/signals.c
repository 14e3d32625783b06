/* SPDX-License-Identifier: ISC */
/* signals.c - see signals.h. A state is 0: none, or the number of a queue (state_table.h). */
#include "object/signals.h"
#include "object/state_table.h"

#include <errno.h>

struct queued_signals {
	u64 n;
	struct signal_info item[SIGNALS_QUEUED];
};

u64 signal_number(const struct signal_info *info)
{
	return state_intern(info, sizeof *info);
}

struct signal_info signal_of(u64 number)
{
	const struct signal_info *info;
	u32 size = 0;

	info = state_is_number(number) ? state_of(number, &size) : NULL;
	return info && size == sizeof *info ? *info : (struct signal_info){0};
}

static struct queued_signals signal_queue(u64 state)
{
	struct queued_signals q = {0};
	const void *bytes;
	u32 size = 0;

	bytes = state_is_number(state) ? state_of(state, &size) : NULL;
	if (bytes && size <= sizeof q)
		__builtin_memcpy(&q, bytes, size);
	return q;
}

static u64 state_of_queue(const struct queued_signals *q)
{
	return q->n ? state_intern(q, (u32)(sizeof q->n + q->n * sizeof q->item[0])) : 0;
}

u64 signals_pending(u64 state)
{
	struct queued_signals q = signal_queue(state);
	u64 set = 0;

	for (u32 i = 0; i < q.n; i++)
		set |= signal_bit(q.item[i].signal);
	return set;
}

static struct object_step send(struct queued_signals *q, u64 argument)
{
	struct signal_info info = signal_of(argument);

	for (u32 i = 0; i < q->n; i++)
		if (q->item[i].signal == info.signal && info.signal < SIGNALS_REAL_TIME &&
			!info.timer)
			return step_reads(EALREADY);
	if (q->n == SIGNALS_QUEUED)
		return step_reads(EAGAIN);
	q->item[q->n++] = info;
	return step_releases(state_of_queue(q));
}

/* The first of the signal with the lowest number among `wanted`. */
static struct object_step take_signal(struct queued_signals *q, u64 wanted, bool waits)
{
	u64 best = q->n;
	struct signal_info info;

	for (u32 i = 0; i < q->n; i++)
		if (wanted & signal_bit(q->item[i].signal) &&
			(best == q->n || q->item[i].signal < q->item[best].signal))
			best = i;
	if (best == q->n)
		return waits ? step_waits() : step_reads(0);
	info = q->item[best];
	q->n--;
	for (u64 i = best; i < q->n; i++)
		q->item[i] = q->item[i + 1];
	return step_acquires(state_of_queue(q), signal_number(&info));
}

OBJECT_STEP(signals)
{
	struct queued_signals q = signal_queue(state);

	switch (op) {
	case OBJECT_SIGNAL_SEND: return send(&q, argument);
	case OBJECT_SIGNAL_SET: return step_reads(signals_pending(state));
	default: return take_signal(&q, argument, op == OBJECT_SIGNAL_TAKE);
	}
}
