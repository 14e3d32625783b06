/* SPDX-License-Identifier: ISC */
/*
 * race.c - what a report says about a data race: the two accesses, the locks held, what is missing.
 *
 * A race is two accesses that no happens-before orders. Why there is none has no single answer; said is
 * the most likely one: a value did go from the one thread to the other, but by accesses that are too weak;
 * or the locks held are different ones; or the threads have nothing to do with each other.
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"

#define ACQUIRE 2
#define RELEASE 3
#define ACQ_REL 4
#define SEQ_CST 5

static const struct event *event_at(const struct report *r, u32 step)
{
	return &r->rows[step - 1].ev->e;
}

static char *place_at(const struct report *r, u32 step)
{
	const struct row *row = &r->rows[step - 1];

	return row->at ? frame_place(row->at, 0) : xprintf("step %u", step);
}

static const char *verb(const struct event *e)
{
	switch (e->kind) {
	case EV_READ: return "loads";
	case EV_WRITE: return "stores";
	default: return "changes";
	}
}

static const char *noun(const struct event *e)
{
	switch (e->kind) {
	case EV_READ: return "load";
	case EV_WRITE: return "store";
	default: return "read-modify-write";
	}
}

/* --- locks ----------------------------------------------------------------------------------- */

static bool takes_lock(const struct event *e)
{
	return (e->kind == EV_LOCK || e->kind == EV_TRYLOCK || e->kind == EV_RDLOCK ||
		       e->kind == EV_WRLOCK) && !e->value[0];
}

static bool frees_lock(const struct event *e)
{
	return e->kind == EV_UNLOCK || e->kind == EV_RWUNLOCK;
}

/* The locks that the thread of a step holds there, as steps at which it took them. */
static void find_locks(const struct report *r, struct race_side *side)
{
	const struct event *at = event_at(r, side->step);

	side->locks = xmalloc(side->step * sizeof(*side->locks));
	for (u32 step = 1; step < side->step; step++) {
		const struct event *e = event_at(r, step);
		unsigned k = side->nlocks;

		if (e->thread != at->thread || !e->addr)
			continue;
		if (takes_lock(e))
			side->locks[side->nlocks++] = step;
		while (frees_lock(e) && k-- > 0) {
			if (event_at(r, side->locks[k])->addr != e->addr)
				continue;
			memmove(&side->locks[k], &side->locks[k + 1],
				(--side->nlocks - k) * sizeof(*side->locks));
			break;
		}
	}
}

static char *locks_of(const struct report *r, const struct race_side *side)
{
	char *text = xstrdup("");

	for (unsigned i = 0; i < side->nlocks; i++) {
		const struct row *row = &r->rows[side->locks[i] - 1];

		text = xprintf("%s%s%s%s", text, i ? ", " : "", row->place,
			row->ev->e.kind == EV_RDLOCK ? " for reading" : "");
	}
	return *text ? text : xstrdup("no lock");
}

static bool share_a_lock(const struct report *r)
{
	for (unsigned i = 0; i < r->race[0].nlocks; i++)
		for (unsigned k = 0; k < r->race[1].nlocks; k++)
			if (event_at(r, r->race[0].locks[i])->addr ==
				event_at(r, r->race[1].locks[k])->addr)
				return true;
	return false;
}

/* --- what is missing ------------------------------------------------------------------------- */

/* Is there a fence of such an order in the thread between two steps? */
static bool fenced(const struct report *r, u32 thread, u32 from, u32 to, bool acquires)
{
	for (u32 step = from + 1; step < to; step++) {
		const struct event *e = event_at(r, step);

		if (e->thread == thread && e->kind == EV_FENCE &&
			(e->order >= ACQ_REL || e->order == (acquires ? ACQUIRE : RELEASE)))
			return true;
	}
	return false;
}

static bool is_atomic(const struct event *e)
{
	return !(e->flags & EVENT_PLAIN);
}

static bool releases(const struct report *r, u32 step)
{
	const struct event *e = event_at(r, step);

	return e->order >= RELEASE || fenced(r, e->thread, r->race[0].step, step, false);
}

static bool acquires(const struct report *r, u32 step)
{
	const struct event *e = event_at(r, step);

	return e->order == ACQUIRE || e->order >= ACQ_REL ||
	       fenced(r, e->thread, step, r->race[1].step, true);
}

/* A read of the second thread, before its access, of what the first wrote after its own; 0: none. */
static u32 handed_over(const struct report *r)
{
	u32 from = r->race[0].step, to = r->race[1].step;

	for (u32 step = to - 1; step > from; step--) {
		const struct event *e = event_at(r, step), *w = e->from ? event_at(r, e->from) : NULL;

		if (e->thread == event_at(r, to)->thread && kind_is_read(e->kind) && w &&
			e->from > from && w->thread == event_at(r, from)->thread && is_atomic(e) &&
			is_atomic(w))
			return step;
	}
	return 0;
}

static char *order_of(const struct event *e)
{
	if (e->flags & EVENT_VOLATILE)
		return xstrdup("volatile");
	return xstrdup(order_name(e->order) ? order_name(e->order) : "relaxed");
}

static char *weak_link(const struct report *r, u32 read)
{
	const struct row *to = &r->rows[read - 1], *from = &r->rows[to->ev->e.from - 1];
	const char *a = thread_label(r, from->ev->e.thread), *b = thread_label(r, to->ev->e.thread);
	bool rel = releases(r, from->ev->e.step), acq = acquires(r, read);
	char *w = xprintf("%s's %s of %s at %s", a, noun(&from->ev->e), from->place,
		place_at(r, from->ev->e.step));
	char *l = xprintf("%s's %s of it at %s", b, noun(&to->ev->e), place_at(r, read));

	if (!rel && !acq)
		return xprintf("%s is %s, and so is %s: they do not synchronise", w,
			order_of(&from->ev->e), l);
	if (!rel)
		return xprintf("%s is %s, no release, so that %s does not synchronise with it", w,
			order_of(&from->ev->e), l);
	if (!acq)
		return xprintf("%s is %s, no acquire, so that it does not synchronise with %s",
			xprintf("%s's %s of %s at %s", b, noun(&to->ev->e), to->place,
				place_at(r, read)),
			order_of(&to->ev->e), xprintf("%s's %s at %s", a, noun(&from->ev->e),
				place_at(r, from->ev->e.step)));
	return NULL;
}

static void find_reason(struct report *r)
{
	const char *model = trace_option(r->t, "model");
	const char *a = thread_label(r, event_at(r, r->race[0].step)->thread);
	const char *b = thread_label(r, event_at(r, r->race[1].step)->thread);
	u32 read = handed_over(r);
	bool c11 = model && (!strcmp(model, "rc11") || !strcmp(model, "ra"));

	r->race_why = read ? weak_link(r, read) : NULL;
	if (r->race_why && c11)
		r->race_note = "the hardware of --model tso keeps these in order: there it is no race";
	if (r->race_why)
		return;
	if (share_a_lock(r)) /* else it would order them */
		r->race_why = xprintf("both hold %s, but for reading only",
			r->rows[r->race[0].locks[0] - 1].place);
	else if (r->race[0].nlocks && r->race[1].nlocks)
		r->race_why = xprintf("%s holds %s, %s holds %s: not the same lock", a,
			r->race[0].held, b, r->race[1].held);
	else if (r->race[0].nlocks || r->race[1].nlocks)
		r->race_why = xprintf("%s holds no lock", r->race[0].nlocks ? b : a);
	else
		r->race_why = xprintf("nothing that %s did before synchronises with what %s did after",
			b, a);
}

static char *whole_place(const struct report *r)
{
	const struct row *row = &r->rows[r->race[1].step - 1];

	return *row->place ? xstrdup(row->place) : xstrdup("memory");
}

static char *side_words(const struct report *r, u32 step)
{
	return xprintf("%s %s it at %s", thread_label(r, event_at(r, step)->thread),
		verb(event_at(r, step)), place_at(r, step));
}

void race_prepare(struct report *r)
{
	const struct finding *f = &r->t->finding.f;
	u32 a = f->other, b = f->step;

	if (f->kind != FINDING_RACE || !a || !b || a == b)
		return;
	r->race[0].step = a < b ? a : b;
	r->race[1].step = a < b ? b : a;
	for (unsigned i = 0; i < 2; i++) {
		find_locks(r, &r->race[i]);
		r->race[i].held = locks_of(r, &r->race[i]);
		r->rows[r->race[i].step - 1].key = true;
	}
	find_reason(r);
	r->message = xprintf("data race on %s: %s, %s", whole_place(r),
		side_words(r, r->race[0].step), side_words(r, r->race[1].step));
	r->has_race = true;
}

char *race_access(const struct report *r, unsigned i)
{
	const struct row *row = &r->rows[r->race[i].step - 1];
	const struct event *e = &row->ev->e;

	return xprintf("%s %s %s = %s, %s", thread_long_label(r, e->thread), verb(e), row->place,
		name_of_value(r, &row->leaf, e->value, e->size),
		e->flags & EVENT_PLAIN ? "not atomic" : xprintf("atomic, %s", order_of(e)));
}
