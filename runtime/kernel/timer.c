/* SPDX-License-Identifier: ISC */
/* timer.c - see timer.h. */
#include "kernel/timer.h"
#include "kernel/file.h"
#include "kernel/op.h"
#include "machine/wait/vtime.h"

#include <errno.h>
#include <poll.h>

FILE_OP(op_get, EV_FD_POLL, OBJECT_TIMER_GET, timer);
FILE_OP(op_set, EV_FD_OPEN, OBJECT_TIMER_SET, timer);
FILE_OP(op_read, EV_FD_READ, OBJECT_TIMER_READ, timer);

struct file timer_new(bool wall_clock, bool nonblocking)
{
	return (struct file){.kind = FILE_TIMER,
		.nonblocking = nonblocking,
		.semaphore = wall_clock,
		.in = op_new_object(0, "a timerfd")};
}

struct timer timer_get(struct file f)
{
	return timer_of(sync_step(&op_get, descriptor_object(f.in), 0));
}

struct timer timer_set(struct file f, struct timer t)
{
	waiting_check();
	return timer_of(op_step(&op_set, descriptor_object(f.in), timer_state(t)));
}

static u32 edges_at(struct timer t, u64 now)
{
	return (u32)(t.deadline / 1000 + timer_expirations(t, now)) & 0xffffff;
}

bool timer_look(struct file f, u32 *edges)
{
	struct timer t = timer_get(f);

	poll_until_timer(t.deadline);
	if (!t.deadline || !vtime_passed(t.deadline))
		return false;
	if (edges)
		*edges = edges_at(t, vtime_after(0));
	return true;
}

bool timer_look_in_memory(struct file f, u32 *edges)
{
	struct timer t = timer_of(waiting_state(descriptor_object(f.in)));

	poll_saw_timer(t.deadline);
	if (!t.deadline || vtime_until(t.deadline))
		return false;
	if (edges)
		*edges = edges_at(t, vtime_after(0));
	return true;
}

i64 timer_read(struct file f, bool waits, const struct channel_message **m)
{
	struct {
		struct channel_message m;
		u64 n;
	} read = {0};
	const void *obj = descriptor_object(f.in);
	struct polled p = {.events = POLLIN, .file = f};
	u32 size;

	for (;;) {
		struct timer t = timer_get(f);

		if (t.deadline && vtime_passed(t.deadline))
			read.n = op_step(&op_read, obj, vtime_after(0));
		if (read.n || !waits)
			break;
		poll_file(&p);
	}
	sync_event(EV_FD_READ, obj, read.n | FILE_VALUE, read.n ? 0 : EAGAIN);
	if (!read.n)
		return -EAGAIN;
	waiting_check();
	*m = state_of(state_intern(&read, sizeof read), &size);
	return sizeof read.n;
}
