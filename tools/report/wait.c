/* SPDX-License-Identifier: ISC */
/*
 * wait.c - the object of a thread that waits for ever, and the reason why no other thread ends it.
 *
 * The holder of a lock took it at a step; a condition or a futex may have been signalled before the
 * thread waited: a lost wake-up. Otherwise no thread is left that could.
 *
 * Locks taken in different orders are represented as waits: each thread takes the lock of its wait
 * while it holds that of the previous one.
 */
#include "report/report.h"

#include <string.h>

#include "die.h"

/* The operation on the place that is waited for. */
static char *words_of_wait(const struct trace_wait *w, const char *place)
{
	const char *space = *place ? " " : "";

	switch (w->kind) {
	case EV_COND_WAIT:
	case EV_COND_WAKE: return xprintf("waits on condition%s%s", space, place);
	case EV_SEM_WAIT: return xprintf("waits for semaphore%s%s", space, place);
	case EV_FUTEX_WAIT: return xprintf("waits on futex%s%s", space, place);
	case EV_FD_POLL: return xprintf("polls %s", *place ? place : "descriptors");
	case EV_WAIT_SIGNAL: return xstrdup("waits for a signal");
	case EV_ONCE: return xprintf("waits for the function of once%s%s", space, place);
	case EV_BARRIER_LEAVE: return xprintf("waits at barrier%s%s", space, place);
	default:
		return xprintf(
			"waits to %s%s%s", kind_words((enum event_kind)w->kind), space, place);
	}
}

/* --- locks in different orders --------------------------------------------------------------- */

static bool is_order(const struct report *r)
{
	return r->t->finding.f.kind == FINDING_LOCK_ORDER;
}

/* The lock of the cycle that the thread of w holds. */
static u32 held_place(const struct report *r, const struct trace_wait *w)
{
	return w == r->t->waits ? w[r->t->nwaits - 1].place : w[-1].place;
}

static char *order_words(const struct report *r, const struct trace_wait *w)
{
	return xprintf("locks %s%s while it holds %s", name_of_place(r, w->place, 1, NULL),
		kind_has(w->kind, KIND_SHARED) ? " for reading" : "",
		name_of_place(r, held_place(r, w), 1, NULL));
}

/* The steps at which it took both locks; false: not in this execution. */
static bool order_steps(const struct report *r, const struct trace_wait *w, u32 *first, u32 *second)
{
	u32 *held, place = held_place(r, w);

	for (u32 step = 1; step <= r->t->nevents; step++) {
		const struct trace_event *ev = &r->t->events[step - 1];
		unsigned n;

		if (ev->e.thread != w->thread || ev->place != w->place || ev->e.value[0])
			continue;
		for (n = locks_held(r, w->thread, step, &held); n-- > 0;)
			if (r->t->events[held[n] - 1].place == place) {
				*first = held[n];
				*second = step;
				return true;
			}
	}
	return false;
}

static char *order_why(const struct report *r, const struct trace_wait *w)
{
	u32 first, second;

	return order_steps(r, w, &first, &second)
		       ? xprintf("taken at step %u (%s) and step %u (%s)", first,
				 step_place(r, first), second, step_place(r, second))
		       : NULL;
}

static char *order_message(const struct report *r)
{
	char *text = xstrdup("");

	for (u32 i = 0; i < r->t->nwaits; i++)
		text = xprintf("%s%s%s %s", text, i ? ", " : "",
			thread_label(r, r->t->waits[i].thread), order_words(r, &r->t->waits[i]));
	return xprintf("locks in different orders: %s", text);
}

/* --- the headline ---------------------------------------------------------------------------- */

/* The latest arrival at this barrier before the step, of any thread (-1) or of this one. */
static const struct event *arrival_before(
	const struct report *r, u32 step, u32 place, i32 thread)
{
	while (step-- > 1) {
		const struct trace_event *ev = &r->t->events[step - 1];

		if (ev->e.kind == EV_BARRIER && ev->place == place &&
			(thread < 0 || ev->e.thread == (u32)thread))
			return &ev->e;
	}
	return NULL;
}

/* "1 of 2 threads has arrived, 3 threads use it" */
static char *arrivals(const struct report *r, u32 place)
{
	const struct event *last = arrival_before(r, r->t->nevents + 1, place, -1), *e = last;
	unsigned long long here, all;
	unsigned users = 0;

	for (; e; e = arrival_before(r, e->step, place, -1))
		users += !arrival_before(r, e->step, place, (i32)e->thread);
	if (!last)
		return NULL;
	here = last->value[0];
	all = last->old[0];
	return xprintf("%llu of %llu threads %s arrived%s", here, all, here == 1 ? "has" : "have",
		users > all ? xprintf(", %u threads use it", users) : "");
}

/* " (FILE:LINE)", where it waits. */
static char *wait_at(const struct report *r, const struct trace_wait *w)
{
	const struct trace_stack *s = trace_stack(r->t, w->stack);
	const struct frames *at = s ? symbol_place(r->symbols, s->frames, s->nframes) : NULL;

	return at && at->n && at->at[0].line ? xprintf(" (%s)", frame_place(at, 0)) : xstrdup("");
}

/* "lock b", "for condition ready": the words after "waits for ever". */
static char *wait_object(const struct report *r, const struct trace_wait *w)
{
	const char *name = name_of_place(r, w->place, 1, NULL);

	switch (w->kind) {
	case EV_COND_WAIT:
	case EV_COND_WAKE:
		return *name ? xprintf("for condition %s", name) : xstrdup("for a condition");
	case EV_SEM_WAIT:
		return *name ? xprintf("for semaphore %s", name) : xstrdup("for a semaphore");
	case EV_FUTEX_WAIT: return *name ? xprintf("on futex %s", name) : xstrdup("on a futex");
	case EV_BARRIER_LEAVE:
		return *name ? xprintf("at barrier %s", name) : xstrdup("at a barrier");
	case EV_FD_POLL: return xprintf("for %s to become ready", *name ? name : "descriptors");
	case EV_WAIT_SIGNAL: return xstrdup("for a signal");
	case EV_ONCE: return xprintf("for the function of once %s", *name ? name : "control");
	case EV_JOIN:
		return w->holder < 0 ? xstrdup("to join")
				     : xprintf("to join %s", thread_label(r, (u32)w->holder));
	default:
		return xprintf(
			"to %s%s%s", kind_words((enum event_kind)w->kind), *name ? " " : "", name);
	}
}

/* " holds", and that a lock's holder will never give it back. */
static const char *words_of_holder(const struct report *r, const struct trace_wait *w)
{
	if (w->kind == EV_ONCE)
		return " runs";
	for (u32 i = 0; i < r->t->nevents; i++)
		if (r->t->events[i].e.kind == EV_CANCELLED &&
			(i32)r->t->events[i].e.thread == w->holder)
			return ", cancelled, holds";
	return " holds";
}

/* The words after the thread's name and "waits for ever" or "spins for ever". */
static char *wait_headline(const struct report *r, const struct trace_wait *w)
{
	const char *name = name_of_place(r, w->place, 1, NULL);
	bool held = w->holder >= 0 && w->kind != EV_JOIN;
	char *arrived = w->kind == EV_BARRIER_LEAVE ? arrivals(r, w->place) : NULL;

	if (kind_is_read((enum event_kind)w->kind))
		return xprintf("on %s%s", *name ? name : "memory", wait_at(r, w));
	if (arrived)
		return xprintf("%s%s: %s", wait_object(r, w), wait_at(r, w), arrived);
	return xprintf("%s%s%s%s%s", wait_object(r, w), wait_at(r, w), held ? ", which " : "",
		held ? thread_label(r, (u32)w->holder) : "",
		held ? words_of_holder(r, w) : "");
}

char *thread_list(const struct report *r, const u32 *ids, unsigned n)
{
	char *text = xstrdup(n ? thread_label(r, ids[0]) : "");

	for (unsigned i = 1; i < n; i++) {
		if (i == 3 && n > 4)
			return xprintf("%s and %u more", text, n - i);
		text = xprintf(
			"%s%s%s", text, i + 1 == n ? " and " : ", ", thread_label(r, ids[i]));
	}
	return text;
}

/* "T1 and T2 wait for ever for condition c (pool.c:30)": w and later waits with the same words,
 * which are marked in said[]. */
static char *wait_clause(const struct report *r, u32 i, bool *said)
{
	const struct trace_wait *w = &r->t->waits[i];
	bool spins = kind_is_read((enum event_kind)w->kind);
	u32 *ids = xmalloc(r->t->nwaits * sizeof(*ids));
	char *what = wait_headline(r, w);
	unsigned n = 0;

	for (u32 k = i; k < r->t->nwaits; k++) {
		const struct trace_wait *x = &r->t->waits[k];

		if (said[k] || kind_is_read((enum event_kind)x->kind) != spins ||
			strcmp(wait_headline(r, x), what) != 0)
			continue;
		said[k] = true;
		ids[n++] = x->thread;
	}
	return xprintf("%s %s%s for ever %s", thread_list(r, ids, n), spins ? "spin" : "wait",
		n == 1 ? "s" : "", what);
}

static const struct trace_wait *wait_of(const struct report *r, i32 thread)
{
	for (u32 i = 0; i < r->t->nwaits; i++)
		if ((i32)r->t->waits[i].thread == thread)
			return &r->t->waits[i];
	return NULL;
}

/* Is w in the cycle of waiting threads that the finding names? */
static bool is_in_circle(const struct report *r, const struct trace_wait *w)
{
	const struct trace_wait *start = wait_of(r, r->t->finding.f.thread), *x = start;

	for (u32 i = 0; x && i <= r->t->nwaits; i++) {
		if (x == w)
			break;
		x = wait_of(r, x->holder);
	}
	if (x != w)
		return false;
	for (u32 i = 0; x && i <= r->t->nwaits; i++) {
		x = wait_of(r, x->holder);
		if (x == start)
			return true;
	}
	return false;
}

/* The message for the threads of a cycle if there is one, else for all. */
static char *stuck_message(const struct report *r)
{
	bool circle = false, *said = xmalloc(r->t->nwaits * sizeof(*said));
	char *text = xstrdup("");

	for (u32 i = 0; i < r->t->nwaits; i++)
		circle |= is_in_circle(r, &r->t->waits[i]);
	for (u32 i = 0; i < r->t->nwaits; i++)
		said[i] = circle && !is_in_circle(r, &r->t->waits[i]);
	/* Threads that only wait for another's end come last: they are not the cause. */
	for (unsigned joins = 0; joins < 2; joins++)
		for (u32 i = 0; i < r->t->nwaits; i++)
			if (!said[i] && (r->t->waits[i].kind == EV_JOIN) == joins)
				text = xprintf(
					"%s%s%s", text, *text ? "; " : "", wait_clause(r, i, said));
	return text;
}

static bool goes_round(const struct trace_wait *w)
{
	return w->kind == EV_WRITE;
}

/* Starved threads first, then looping ones. */
static char *round_message(const struct report *r)
{
	char *starved = xstrdup(""), *round = xstrdup("");
	bool *reported = xmalloc(r->t->nwaits * sizeof(*reported));
	u32 n = 0, said = 0;

	for (u32 i = 0; i < r->t->nwaits; i++) {
		enum event_kind kind = (enum event_kind)r->t->waits[i].kind;

		reported[i] = goes_round(&r->t->waits[i]) || kind == EV_JOIN;
	}
	for (u32 i = 0; i < r->t->nwaits; i++)
		n += goes_round(&r->t->waits[i]);
	for (u32 i = 0; i < r->t->nwaits; i++) {
		const struct trace_wait *w = &r->t->waits[i];

		if (goes_round(w))
			round = xprintf("%s%s%s%s", round,
				!said		? ""
				: said + 1 == n ? " and "
						: ", ",
				thread_label(r, w->thread), wait_at(r, w)),
			said++;
		else if (!reported[i])
			starved = xprintf("%s%s%s", starved, *starved ? "; " : "",
				wait_clause(r, i, reported));
	}
	return xprintf("%s%s%s loop%s%s", starved, *starved ? ", while " : "", round,
		n == 1 ? "s" : "",
		*starved				     ? ""
		: r->t->finding.f.kind == FINDING_STARVATION ? " in lockstep"
							     : " for ever");
}

static bool is_stuck(const struct finding *f)
{
	return f->kind == FINDING_DEADLOCK || f->kind == FINDING_LIVELOCK ||
	       f->kind == FINDING_STARVATION;
}

/* Replace the runtime's message by one with names and places in the source. */
void wait_prepare(struct report *r)
{
	const struct finding *f = &r->t->finding.f;
	bool round = false;

	if (!r->t->nwaits)
		return;
	for (u32 i = 0; i < r->t->nwaits; i++)
		round |= goes_round(&r->t->waits[i]);
	if (is_order(r))
		r->message = order_message(r);
	else if (is_stuck(f) && f->repeats && round)
		r->message = xprintf("%s: %s", finding_name(f->kind), round_message(r));
	else if (is_stuck(f))
		r->message = xprintf("%s: %s", finding_name(f->kind), stuck_message(r));
}

/* --- waits ----------------------------------------------------------------------------------- */

bool waits_are_final(const struct report *r)
{
	return !is_order(r);
}

char *wait_words(const struct report *r, const struct trace_wait *w)
{
	char *place = name_of_place(r, w->place, 1, NULL);

	if (is_order(r))
		return order_words(r, w);
	if (kind_is_read((enum event_kind)w->kind))
		return xprintf("spins until %s changes", *place ? place : "memory");
	if (goes_round(w))
		return xprintf("loops%s%s", *place ? ", changing " : "", place);
	if (w->kind == EV_JOIN && w->holder >= 0)
		return xprintf("waits to join %s", thread_long_label(r, (u32)w->holder));
	if (w->holder >= 0)
		return xprintf("%s, which %s%s", words_of_wait(w, place),
			thread_long_label(r, (u32)w->holder), words_of_holder(r, w));
	return words_of_wait(w, place);
}

/* The step at which the holder took the lock; 0: not in this execution. */
static u32 taken_at(const struct report *r, const struct trace_wait *w)
{
	u32 *steps;
	unsigned n = locks_held(r, (u32)w->holder, r->t->nevents + 1, &steps);

	while (n-- > 0)
		if (r->t->events[steps[n] - 1].place == w->place)
			return steps[n];
	return 0;
}

/* A condition or a futex. */
static bool waits_for_wake(const struct trace_wait *w)
{
	return w->kind == EV_COND_WAIT || w->kind == EV_COND_WAKE || w->kind == EV_FUTEX_WAIT;
}

static bool wakes_waiter(const struct trace_wait *w, const struct trace_event *ev)
{
	if (ev->place != w->place)
		return false;
	return w->kind == EV_FUTEX_WAIT ? ev->e.kind == EV_FUTEX_WAKE
					: ev->e.kind == EV_COND_SIGNAL ||
						  ev->e.kind == EV_COND_BROADCAST;
}

/* The last wake-up of the object of w, and the step since which w waits. */
static u32 last_wake(const struct report *r, const struct trace_wait *w, u32 *since)
{
	u32 wake = 0;

	*since = 0;
	for (u32 step = 1; step <= r->t->nevents; step++) {
		const struct trace_event *ev = &r->t->events[step - 1];

		if (wakes_waiter(w, ev))
			wake = step;
		else if (ev->e.thread == w->thread &&
			(w->kind == EV_FUTEX_WAIT || /* no event before it wakes */
				(ev->e.kind == EV_COND_WAIT && ev->place == w->place)))
			*since = step;
	}
	return wake;
}

u32 wait_cause(const struct report *r, const struct trace_wait *w)
{
	u32 since, step = 0;

	if (is_order(r) || w->kind == EV_JOIN)
		return 0;
	if (waits_for_wake(w))
		step = last_wake(r, w, &since);
	else if (w->holder >= 0)
		step = taken_at(r, w);
	return step;
}

static char *why_not_woken(const struct report *r, const struct trace_wait *w)
{
	u32 since, wake = last_wake(r, w, &since);
	const struct event *e;
	const char *verb;

	if (!wake)
		return xstrdup("no thread has woken it");
	e = &r->t->events[wake - 1].e;
	verb = e->kind == EV_COND_SIGNAL  ? "signalled"
	       : e->kind == EV_FUTEX_WAKE ? "woken"
					  : "broadcast";
	if (wake < since)
		return xprintf("%s has %s it too early: step %u (%s), before step %u",
			thread_label(r, e->thread), verb, wake, step_place(r, wake), since);
	return xprintf("the last wake-up, step %u (%s, %s), was for another thread", wake,
		thread_label(r, e->thread), step_place(r, wake));
}

#define HOLDERS (WAIT_STEPS - 3)

/* The steps at which the current holders took it, at most HOLDERS. */
static unsigned holder_steps(const struct report *r, const struct trace_wait *w, u32 *steps)
{
	unsigned n = 0;

	for (u32 i = 0; i < r->t->nthreads && w->place && n < HOLDERS; i++) {
		u32 *held;

		for (unsigned k = locks_held(r, r->t->threads[i].id, r->t->nevents + 1, &held);
			k-- > 0;)
			if (r->t->events[held[k] - 1].place == w->place) {
				steps[n++] = held[k];
				break;
			}
	}
	return n;
}

unsigned wait_steps(const struct report *r, const struct trace_wait *w, u32 *steps)
{
	u32 since = 0;

	steps[0] = steps[1] = steps[2] = 0;
	if (is_order(r)) {
		order_steps(r, w, &steps[0], &steps[1]);
		return 2;
	}
	steps[0] = wait_cause(r, w);
	if (waits_for_wake(w))
		last_wake(r, w, &since);
	steps[1] = since;
	for (u32 step = r->t->nevents; step && !steps[2]; step--)
		if (r->t->events[step - 1].e.thread == w->thread &&
			r->t->events[step - 1].e.kind != EV_COMMIT)
			steps[2] = step;
	return 3 + holder_steps(r, w, steps + 3);
}

char *wait_repeats(const struct report *r)
{
	u32 from = r->t->finding.f.repeats, to = r->t->nevents;

	return from ? xprintf("steps %u to %u, for ever: the state after step %u is that before "
			      "step %u",
			      from, to, to, from)
		    : NULL;
}

static bool has_exited(const struct report *r, u32 thread)
{
	for (u32 step = r->t->nevents; step; step--)
		if (r->t->events[step - 1].e.thread == thread &&
			r->t->events[step - 1].e.kind == EV_EXIT)
			return true;
	return false;
}

/* "T1 (since step 4, a.c:12) and T2 (since step 7, a.c:12) hold it", the thread itself included;
 * NULL: none does. */
static char *holders(const struct report *r, const struct trace_wait *w)
{
	u32 steps[HOLDERS];
	unsigned n = holder_steps(r, w, steps);
	char *text = xstrdup("");

	for (unsigned i = 0; i < n; i++) {
		u32 id = r->t->events[steps[i] - 1].e.thread;

		text = xprintf("%s%s%s (since step %u, %s%s)", text,
			!i	     ? ""
			: i + 1 == n ? " and "
				     : ", ",
			thread_label(r, id), steps[i], step_place(r, steps[i]),
			has_exited(r, id) ? "; it has exited" : "");
	}
	return n ? xprintf("%s hold%s it", text, n == 1 ? "s" : "") : NULL;
}

char *wait_why(const struct report *r, const struct trace_wait *w)
{
	u32 step;

	if (is_order(r))
		return order_why(r, w);
	if (waits_for_wake(w))
		return why_not_woken(r, w);
	step = w->kind != EV_JOIN && w->holder >= 0 ? taken_at(r, w) : 0;
	if (w->kind == EV_BARRIER_LEAVE)
		return arrivals(r, w->place);
	return step ? xprintf("taken at step %u (%s)", step, step_place(r, step)) : holders(r, w);
}
