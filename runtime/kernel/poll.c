/* SPDX-License-Identifier: ISC */
/* poll.c - see poll.h. */
#include "kernel/poll.h"
#include "kernel/file.h"
#include "machine/core.h"
#include "machine/interrupt.h"
#include "machine/sync.h"
#include "machine/vtime.h"

#include <poll.h>

/* --- waiting --------------------------------------------------------------------------------- */

/* The threads that wait, and for what. */
static u16 waiting[THREADS_MAX];
static struct waited *waited_by[THREADS_MAX];
static PER_EXECUTION u32 nwaiting;

static bool is_ready(const struct thread *t, const void *obj)
{
	const struct waited *w = waited_by[thread_id(t)];

	return w->ready(w);
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

/* Nothing is ready: wait. False: not in time. */
static bool wait_for(struct waited *w, bool timed)
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

/* In a graph it is decided first whether the time is over before something is ready. */
static u32 look_late(struct waited *w, u64 deadline)
{
	if (w->look(w))
		machine_abandon(); /* the same as in time */
	vtime_reach(deadline);
	return 0;
}

static u32 look_until(struct waited *w, i64 ns)
{
	u64 deadline = ns > 0 ? vtime_after((u64)ns) : 0;
	u32 found;

	if (ns > 0 && !vtime_passed(deadline) && sync_times_out())
		return look_late(w, deadline);
	for (;;) {
		if (ns)
			machine_progress();
		found = w->look(w);
		if (found || !ns)
			return found;
		if (!wait_for(w, ns > 0)) {
			if (interrupt_has_come())
				return 0;
			vtime_reach(deadline);
			return M.engine->own_history ? w->look(w) : 0;
		}
	}
}

u32 poll_until(struct waited *w, i64 ns)
{
	u32 found = interrupt_begins() ? 0 : look_until(w, ns);

	interrupt_ends();
	return found;
}

/* --- poll() ---------------------------------------------------------------------------------- */

struct poll {
	struct waited w;
	struct polled *p;
	u32 n;
	u32 (*outside)(void *arg);
	void *arg;
};

static bool any_ready(const struct waited *w)
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
	struct poll s = {{any_ready, look_at_all, NULL}, p, n, outside, arg};

	for (u32 i = 0; i < n; i++)
		p[i].file = descriptor_file(p[i].fd);
	return poll_until(&s.w, ns);
}
