/* SPDX-License-Identifier: ISC */
/* signalfd.c - see signalfd.h. */
#include "kernel/signalfd.h"
#include "kernel/alarm.h"
#include "kernel/file.h"
#include "kernel/op.h"
#include "machine/wait/delivery.h"
#include "object/action.h"
#include "object/state_table.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define READ_MAX 8 /* at once */

FILE_OP(op_get, EV_FD_POLL, OBJECT_ACTION_GET, action);
FILE_OP(op_set, EV_FD_OPEN, OBJECT_ACTION_SET, action);

struct file signalfd_new(u64 set, bool nonblocking)
{
	machine_hooks.signals_changed = poll_changed;
	return (struct file){.kind = FILE_SIGNAL,
		.nonblocking = nonblocking,
		.in = op_new_object(set, "a signalfd")};
}

void signalfd_set(struct file f, u64 set)
{
	op_step(&op_set, descriptor_object(f.in), set);
}

static u64 set_of(struct file f)
{
	return sync_step(&op_get, descriptor_object(f.in), 0);
}

/* The number of one of these signals. */
static u32 pending_edges(u64 pending)
{
	return (u32)(pending ^ pending >> 24 ^ pending >> 48) & 0xffffff;
}

bool signalfd_look(struct file f, u32 *edges)
{
	u64 pending = delivery_pending() & set_of(f);

	if (edges)
		*edges = pending_edges(pending);
	return pending;
}

bool signalfd_look_in_memory(struct file f, u32 *edges)
{
	u64 pending = delivery_pending_in_memory(poll_waiting()) &
		      waiting_state(descriptor_object(f.in));

	if (edges)
		*edges = pending_edges(pending);
	return pending;
}

/* --- reading ---------------------------------------------------------------------------------- */

static struct signalfd_siginfo siginfo_of(const struct signal_info *from)
{
	return (struct signalfd_siginfo){.ssi_signo = from->signal,
		.ssi_code = from->code,
		.ssi_pid = from->code == SI_TIMER ? 0 : (u32)getpid(),
		.ssi_overrun = from->timer ? alarm_taken(from->timer) : 0,
		.ssi_int = (i32)from->value,
		.ssi_ptr = from->value};
}

static u32 take_all(u64 set, struct signalfd_siginfo *to, u32 n)
{
	struct signal_info info;
	u32 taken = 0;

	while (taken < n && delivery_take(set, false, &info) && info.signal)
		to[taken++] = siginfo_of(&info);
	return taken;
}

i64 signalfd_read(struct file f, size_t n, bool waits, const struct channel_message **m)
{
	struct {
		struct channel_message m;
		struct signalfd_siginfo info[READ_MAX];
	} read = {0};
	struct polled p = {.events = POLLIN, .file = f};
	u32 size, most = n / sizeof read.info[0] < READ_MAX ? (u32)(n / sizeof read.info[0])
							    : READ_MAX,
		  taken;

	if (!most)
		return -EINVAL;
	while (!(taken = take_all(set_of(f), read.info, most)) && waits)
		poll_file(&p);
	size = taken * (u32)sizeof read.info[0];
	sync_event(EV_FD_READ, descriptor_object(f.in), size, taken ? 0 : EAGAIN);
	if (!taken)
		return -EAGAIN;
	waiting_check();
	*m = state_of(state_intern(&read, (u32)sizeof read.m + size), &most);
	return size;
}

/* --- sigtimedwait() --------------------------------------------------------------------------- */

struct signal_wait {
	struct waited w;
	u64 set;
	struct signal_info *info;
};

static bool is_signal_pending(const struct waited *w)
{
	const struct signal_wait *s = (const struct signal_wait *)w;

	return delivery_pending_in_memory(poll_waiting()) & s->set;
}

static u32 take_one(struct waited *w)
{
	struct signal_wait *s = (struct signal_wait *)w;

	return delivery_take(s->set, false, s->info) && s->info->signal;
}

int signalfd_wait(u64 set, i64 ns, struct signal_info *info)
{
	struct signal_wait s = {{.ready = is_signal_pending, .look = take_one}, set, info};
	u32 found;

	if (!ns) /* not interrupted */
		return take_one(&s.w) ? 0 : EAGAIN;
	machine_hooks.signals_changed = poll_changed;
	s.w.obj = (const void *)(uintptr_t)delivery_object(thread_id(thread_self()));
	found = poll_until(&s.w, ns);
	return found == POLL_INTERRUPTED ? EINTR : found ? 0 : EAGAIN;
}
