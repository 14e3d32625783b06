/* SPDX-License-Identifier: ISC */
/* poll.c - see poll.h. */
#include "kernel/poll.h"
#include "kernel/file.h"
#include "machine/core.h"
#include "machine/wait/delivery.h"
#include "machine/wait/interrupt.h"
#include "machine/record/record.h"
#include "machine/wait/sync.h"
#include "machine/wait/vtime.h"

#include <poll.h>

/* --- waiting --------------------------------------------------------------------------------- */

/* The waiting threads, with their waits. */
static u16 waiting[THREADS_MAX];
static struct waited *waited_by[THREADS_MAX];
static PER_EXECUTION u32 nwaiting;

static struct waited *looking[THREADS_MAX]; /* a thread's current check */
static u64 timers_in_memory;

void poll_until_timer(u64 deadline)
{
	struct waited *w = looking[thread_id(thread_self())];

	if (!deadline || !w)
		return;
	w->timers += deadline;
	if (!w->timer || deadline < w->timer)
		w->timer = deadline;
}

void poll_saw_timer(u64 deadline)
{
	timers_in_memory += deadline;
}

static u32 waiting_thread; /* the subject of is_ready() */

u32 poll_waiting(void)
{
	return waiting_thread;
}

/* A timer that was set since then is a reason to check again. */
static bool is_ready(const struct thread *t, const void *obj)
{
	const struct waited *w = waited_by[thread_id(t)];

	timers_in_memory = 0;
	waiting_thread = thread_id(t);
	return w->ready(w) || timers_in_memory != w->timers;
}

static const struct sync_op op_wait = {EV_FD_POLL, is_ready, NULL, OBJECT_REPEAT};

void poll_changed(void)
{
	for (u32 i = 0; i < nwaiting; i++)
		sync_changed(waited_by[waiting[i]]->obj);
}

static void no_longer_waits(u32 id)
{
	u32 i = 0;

	while (waiting[i] != id)
		i++;
	waiting[i] = waiting[--nwaiting];
}

/* Wait, as nothing is ready. False: timed out. */
static bool wait_for_ready(struct waited *w, bool timed)
{
	u32 id = thread_id(thread_self());
	bool late = false;

	waited_by[id] = w;
	waiting[nwaiting++] = (u16)id;
	if (timed)
		sync_step_limited(&op_wait, w->obj, &late);
	else
		late = sync_step(&op_wait, w->obj, 0) == OBJECT_INTERRUPTED;
	no_longer_waits(id);
	return !late;
}

static u32 look_now(struct waited *w, bool last)
{
	u32 id = thread_id(thread_self()), found;

	w->timer = w->timers = 0;
	w->last = last;
	looking[id] = w;
	found = w->look(w);
	looking[id] = NULL;
	return found;
}

/* In a graph the choice comes first: does the time end before a descriptor is ready? */
static u32 look_late(struct waited *w, u64 deadline)
{
	u32 found = look_now(w, true);

	if (found && M.nthreads == 1) /* there was no choice */
		return found;
	if (found)
		machine_abandon(); /* the same as being in time */
	vtime_reach(deadline);
	return 0;
}

/* A timer may expire before the deadline, if there is one. */
static bool ends_by_timer(const struct waited *w, u64 deadline)
{
	return w->timer && (!deadline || w->timer <= deadline);
}

static u32 look_until(struct waited *w, i64 ns)
{
	u64 deadline = ns > 0 ? vtime_after((u64)ns) : 0;
	u32 found;
	bool timer;

	if (ns > 0 && !vtime_passed(deadline) && sync_times_out())
		return look_late(w, deadline);
	for (;;) {
		if (ns)
			machine_progress();
		found = look_now(w, !ns);
		if (found || !ns)
			return found;
		timer = ends_by_timer(w, deadline);
		if (timer && !vtime_passed(w->timer) && sync_times_out()) {
			vtime_reach(w->timer);
			continue;
		}
		M.cur->deadline = timer ? w->timer : deadline;
		if (wait_for_ready(w, ns > 0 || timer))
			continue;
		if (interrupt_has_come())
			return 0;
		vtime_reach(timer ? w->timer : deadline);
		if (!timer)
			return M.engine->own_history ? look_now(w, true) : 0;
		if (interrupt_has_come_since())
			return 0;
	}
}

static u32 wait_for_poll(struct waited *w, i64 ns)
{
	enum interrupt_end end;
	u32 found = 0;

	do {
		if (!interrupt_begins(CALL_FAILS))
			found = look_until(w, ns);
		if (found)
			interrupt_comes_later();
		end = interrupt_ends();
	} while (end == INTERRUPT_AGAIN);
	return end ? POLL_INTERRUPTED : found;
}

/* --- with another mask ----------------------------------------------------------------------- */

void poll_with_mask(u64 blocked)
{
	M.cur->call_blocks = blocked;
	M.cur->call_masked = true;
}

/* The handlers of all signals that are pending and not blocked; does the call fail? */
static bool handle_pending(void)
{
	if (!(delivery_unblocked() & DELIVERED))
		return false;
	if (unlikely(M.recording))
		record_failed_call();
	return true;
}

/* The mask of the call takes effect where it is about to wait: signals that it unblocks never
 * interrupt one that finds a descriptor ready. */
static u32 wait_masked(struct waited *w, i64 ns, u64 blocked)
{
	struct thread *t = M.cur;
	u64 before = t->blocked_signals;
	u32 found = wait_for_poll(w, 0);

	if (found)
		return found;
	t->blocked_signals = blocked;
	if (handle_pending()) {
		found = POLL_INTERRUPTED;
	} else if (ns) {
		t->waits_again = true; /* a handler that runs now interrupts it */
		found = wait_for_poll(w, ns);
		t->waits_again = false;
		if (!found && handle_pending())
			found = POLL_INTERRUPTED;
	}
	t->blocked_signals = before;
	if (blocked & ~before)
		delivery_unblocked();
	return found;
}

u32 poll_until(struct waited *w, i64 ns)
{
	struct thread *t = M.cur;
	bool masked = t->call_masked && t->call_blocks != t->blocked_signals;

	t->call_masked = false;
	return unlikely(masked && interrupts_on) ? wait_masked(w, ns, t->call_blocks)
						 : wait_for_poll(w, ns);
}

/* --- poll() ---------------------------------------------------------------------------------- */

struct poll {
	struct waited w;
	struct polled *p;
	u32 n;
	u32 (*outside)(void *arg);
	void *arg;
};

static bool any_descriptor_ready(const struct waited *w)
{
	const struct poll *s = (const struct poll *)w;

	for (u32 i = 0; i < s->n; i++)
		if (s->p[i].file.kind && file_look_in_memory(s->p[i].file, s->p[i].events, NULL))
			return true;
	return false;
}

static u32 look_at_all(struct waited *w)
{
	struct poll *s = (struct poll *)w;
	const void *object[2];
	u32 found = 0, n;

	for (u32 i = 0; i < s->n; i++) {
		struct polled *p = &s->p[i];

		p->found = p->file.kind ? file_look(p->file, p->events, NULL) : POLLNVAL;
		found += p->found != 0;
		n = file_objects(p->file, p->events, object);
		w->obj = n ? object[n - 1] : w->obj;
	}
	return found + (s->outside ? s->outside(s->arg) : 0);
}

u32 poll_wait(struct polled *p, u32 n, i64 ns, u32 (*outside)(void *arg), void *arg)
{
	struct poll s = {{.ready = any_descriptor_ready, .look = look_at_all}, p, n, outside, arg};

	for (u32 i = 0; i < n; i++)
		p[i].file = descriptor_file(p[i].fd);
	return poll_until(&s.w, ns);
}

void poll_file(struct polled *p)
{
	struct poll s = {{.ready = any_descriptor_ready, .look = look_at_all}, p, 1, NULL, NULL};

	poll_until(&s.w, -1);
}
