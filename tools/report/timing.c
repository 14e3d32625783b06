/* SPDX-License-Identifier: ISC */
/*
 * timing.c - does the failure depend on time that passes while threads could still move?
 *
 * A sleep or a timed wait may end at any moment, as other threads may be slow. The report says so
 * if that is a cause of the failure: a thread continued after it, another one could have moved
 * before (it did so later without a later cause, or its next step was possible all the time), and
 * the failure came after it. A thread that slept longer could not have moved: each has its own
 * time, that of its sleeps and of its sources.
 */
#include "report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

#define SAID   4   /* more would not help */
#define JUDGED 200 /* the last ones of an execution: each takes a pass over it */

static bool is_timeout(const struct event *e)
{
	return e->kind != EV_SLEEP && !kind_is_access((enum event_kind)e->kind) &&
	       e->value[0] == ETIMEDOUT;
}

static bool waits_for_time(const struct event *e)
{
	return e->kind == EV_SLEEP ? e->value[0] : is_timeout(e) && e->value[1];
}

char *time_words(u64 ns)
{
	static const struct {
		u64 unit;
		const char *name;
	} units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
	unsigned i = 0;

	/* 999.96 ms is 1 s in four digits */
	while (i + 1 < array_size(units) && ns < units[i].unit - units[i].unit / 20000)
		i++;
	if (ns % units[i].unit == 0)
		return xprintf("%llu %s", (unsigned long long)(ns / units[i].unit), units[i].name);
	return xprintf("%.4g %s", (double)ns / (double)units[i].unit, units[i].name);
}

/* --- causes ---------------------------------------------------------------------------------- */

/* For each event: the event of another thread that it comes after, 0 = none. */
static u32 *find_causes(const struct report *r)
{
	u32 n = r->t->nevents, *cause = xmalloc((n + 1) * sizeof(*cause));
	u32 *of_place = xmalloc((r->t->nplaces + 1) * sizeof(*of_place));
	u32 *created = xmalloc(65536 * sizeof(*created)), *ended = xmalloc(65536 * sizeof(*ended));

	for (u32 step = 1; step <= n; step++) {
		const struct trace_event *ev = &r->t->events[step - 1];
		const struct event *e = &ev->e;
		const struct trace_place *p = trace_place(r->t, ev->place);

		if (e->kind == EV_COMMIT)
			cause[step] = e->store;
		else if (kind_is_access((enum event_kind)e->kind))
			cause[step] = e->from;
		else if (e->kind == EV_START)
			cause[step] = created[e->thread];
		else if (e->kind == EV_JOIN)
			cause[step] = ended[(u16)e->old[0]];
		else if (p)
			cause[step] = of_place[p - r->t->places];
		if (e->kind == EV_CREATE)
			created[(u16)e->old[0]] = step;
		ended[e->thread] = step;
		if (p && !kind_is_access((enum event_kind)e->kind))
			of_place[p - r->t->places] = step;
	}
	free(of_place);
	free(created);
	free(ended);
	return cause;
}

/* Is an event at or after `from` of its thread, or caused by such a one? For all events. */
static bool *find_after(const struct report *r, const u32 *cause, u32 from)
{
	bool *after = xmalloc(r->t->nevents + 1), *thread = xmalloc(65536);

	for (u32 step = from; from && step <= r->t->nevents; step++) {
		const struct event *e = &r->t->events[step - 1].e;

		if (e->kind == EV_COMMIT) { /* the thread need not have come so far */
			after[step] = after[e->store];
			continue;
		}
		thread[e->thread] |= step == from || after[cause[step]];
		after[step] = thread[e->thread];
	}
	free(thread);
	return after;
}

/* The time of each event if only sleeps and time-outs take time. */
static u64 *find_times(const struct report *r, const u32 *cause)
{
	u64 *at = xmalloc((r->t->nevents + 1) * sizeof(*at)), *now = xmalloc(65536 * sizeof(*now));

	for (u32 step = 1; step <= r->t->nevents; step++) {
		const struct event *e = &r->t->events[step - 1].e;
		u64 *mine = &now[e->thread];

		if (at[cause[step]] > *mine)
			*mine = at[cause[step]];
		if (is_timeout(e))
			*mine += e->value[1];
		at[step] = *mine;
		if (e->kind == EV_SLEEP)
			*mine += e->value[0];
	}
	free(now);
	return at;
}

/* --- threads that could have moved ----------------------------------------------------------- */

static u32 next_timed_step(const struct report *r, u32 thread, u32 step)
{
	for (u32 s = step + 1; s <= r->t->nevents; s++)
		if (r->t->events[s - 1].e.thread == thread &&
			r->t->events[s - 1].e.kind != EV_COMMIT)
			return s;
	return 0;
}

static u32 last_of(const struct report *r, u32 thread, u32 before)
{
	for (u32 s = before; s-- > 1;)
		if (r->t->events[s - 1].e.thread == thread &&
			r->t->events[s - 1].e.kind != EV_COMMIT)
			return s;
	return 0;
}

/* The end of the sleep or timed wait that thread u is in before `step`; 0: none. */
static u64 wakes_at(const struct report *r, const u64 *at, u32 u, u32 step)
{
	u32 last = last_of(r, u, step), next = next_timed_step(r, u, step - 1);

	if (last && r->t->events[last - 1].e.kind == EV_SLEEP)
		return at[last] + r->t->events[last - 1].e.value[0];
	return next && is_timeout(&r->t->events[next - 1].e) ? at[next] : 0;
}

/* Could thread u have made a step before `step`, when time passed up to `until`? */
static bool could_move(
	const struct report *r, const bool *after, const u64 *at, u32 u, u32 step, u64 until)
{
	u32 next = next_timed_step(r, u, step - 1);
	const struct trace_thread *t = trace_thread(r->t, u);

	if (u == r->t->events[step - 1].e.thread || wakes_at(r, at, u, step) >= until)
		return false;
	return next ? !after[next] : t && t->enabled;
}

/* Does the failure depend on it? */
static bool depends_on_time(const struct report *r, const bool *after)
{
	const struct finding *f = &r->t->finding.f;

	if (r->has_race) /* time does not order the two accesses */
		return false;
	if (!f->step && !r->t->nwaits)
		return true;
	if ((f->step && after[f->step]) || (f->other && after[f->other]))
		return true;
	for (u32 i = 0; i < r->t->nwaits; i++) {
		u32 last = last_of(r, r->t->waits[i].thread, r->t->nevents + 1);

		if (last && after[last])
			return true;
	}
	return false;
}

/* --- sentences ------------------------------------------------------------------------------- */

static char *sentence(const struct report *r, const struct timing *x)
{
	const struct row *row = &r->rows[x->step - 1];
	const char *thread = thread_label(r, row->ev->e.thread);
	char *what = row->ev->e.kind == EV_SLEEP
			     ? xprintf("%s's sleep of %s", thread, time_words(x->ns))
			     : xprintf("%s's timed wait of %s", thread, time_words(x->ns));

	return xprintf("%s (step %u, %s) ended while %s could still move: time advanced by %s",
		what, x->step, step_place(r, x->step), thread_label(r, x->other),
		time_words(x->ns));
}

static void add_timing(struct report *r, u32 step, u32 other, u64 ns)
{
	r->timings = xgrow(r->timings, (r->ntimings + 1) * sizeof(*r->timings));
	r->timings[r->ntimings] = (struct timing){.step = step, .other = other, .ns = ns};
	r->timings[r->ntimings].text = sentence(r, &r->timings[r->ntimings]);
	r->ntimings++;
	r->rows[step - 1].key = true;
}

/* Judge the wait that ends at `end`, the first event after the sleep or the time-out itself. */
static void judge_sleep(
	struct report *r, const u32 *cause, const u64 *at, u32 step, u32 end, u64 ns)
{
	bool *after = find_after(r, cause, end);
	u64 until = r->t->events[step - 1].e.kind == EV_SLEEP ? at[step] + ns : at[step];

	for (u32 i = 0; i < r->t->nthreads && depends_on_time(r, after); i++) {
		if (!could_move(r, after, at, r->t->threads[i].id, end, until))
			continue;
		add_timing(r, step, r->t->threads[i].id, ns);
		break;
	}
	free(after);
}

void timing_prepare(struct report *r)
{
	const char *sleepers = trace_option(r->t, "sleepers");
	u32 *cause = NULL, many = 0;
	u64 *at = NULL;

	if (sleepers && !strcmp(sleepers, "last"))
		return;
	for (u32 step = 1; step <= r->t->nevents; step++)
		many += waits_for_time(&r->t->events[step - 1].e);
	for (u32 step = 1; step <= r->t->nevents && r->ntimings < SAID; step++) {
		const struct event *e = &r->t->events[step - 1].e;
		bool sleeps = e->kind == EV_SLEEP;
		u64 ns = sleeps ? e->value[0] : e->value[1];
		u32 end = sleeps ? next_timed_step(r, e->thread, step) : step;

		if (!waits_for_time(e) || many-- > JUDGED || !end)
			continue;
		if (!cause) {
			cause = find_causes(r);
			at = find_times(r, cause);
		}
		judge_sleep(r, cause, at, step, end, ns);
	}
	free(cause);
	free(at);
}
