/* SPDX-License-Identifier: ISC */
/*
 * race.c - the report of a data race: the two accesses, the locks held, the missing
 * synchronisation. Heap errors that involve an allocation or a free are reported in the same way.
 *
 * A race is two accesses that happens-before does not order. The reason is not unique; the report
 * has the most likely one: a value is passed from one thread to the other, but by accesses that are
 * too weak; the locks held differ; or the threads do not communicate.
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "source/poll.h"

static const struct event *event_at(const struct report *r, u32 step)
{
	return &r->rows[step - 1].ev->e;
}

/* Of an operation on a synchronisation object. */
static const char *operation_verb(u32 kind)
{
	switch (kind) {
	case EV_LOCK: return "locks";
	case EV_TRYLOCK: return "tries to lock";
	case EV_UNLOCK:
	case EV_RWUNLOCK: return "unlocks";
	case EV_RDLOCK: return "read-locks";
	case EV_WRLOCK: return "write-locks";
	case EV_COND_SIGNAL: return "signals";
	case EV_COND_BROADCAST: return "broadcasts";
	case EV_COND_WAIT: return "waits on";
	case EV_SEM_WAIT: return "waits for";
	case EV_SEM_POST: return "posts";
	case EV_INIT: return "initialises";
	case EV_DESTROY: return "destroys";
	case EV_ONCE: return "uses";
	default: return NULL;
	}
}

static const char *verb(const struct report *r, u32 step)
{
	const struct event *e = event_at(r, step);
	const char *descriptor = descriptor_verb(&r->rows[step - 1]);

	if (descriptor)
		return xprintf("%ss", descriptor);
	switch (e->kind) {
	case EV_READ: return "loads";
	case EV_WRITE: return "stores";
	case EV_MALLOC: return "allocates";
	case EV_FREE: return "frees";
	case EV_EXIT: return "exits";
	case EV_FRAME_END: return "returns from";
	default: return operation_verb(e->kind) ? operation_verb(e->kind) : "changes";
	}
}

static const char *noun_of_access(const struct event *e)
{
	switch (e->kind) {
	case EV_READ: return "load";
	case EV_WRITE: return "store";
	default: return "read-modify-write";
	}
}

/* --- locks ----------------------------------------------------------------------------------- */

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

/* --- missing synchronisation ----------------------------------------------------------------- */

/* Is there a fence of such an order in the thread between two steps? */
static bool fenced(const struct report *r, u32 thread, u32 from, u32 to, bool acquires)
{
	for (u32 step = from + 1; step < to; step++) {
		const struct event *e = event_at(r, step);

		if (e->thread == thread && e->kind == EV_FENCE &&
			(e->order >= __ATOMIC_ACQ_REL ||
				e->order == (acquires ? __ATOMIC_ACQUIRE : __ATOMIC_RELEASE)))
			return true;
	}
	return false;
}

static bool is_atomic_access(const struct event *e)
{
	return !(e->flags & EVENT_PLAIN);
}

static bool releases(const struct report *r, u32 step)
{
	const struct event *e = event_at(r, step);

	return e->order >= __ATOMIC_RELEASE || fenced(r, e->thread, r->race[0].step, step, false);
}

static bool acquires(const struct report *r, u32 step)
{
	const struct event *e = event_at(r, step);

	return e->order == __ATOMIC_ACQUIRE || e->order >= __ATOMIC_ACQ_REL ||
	       fenced(r, e->thread, step, r->race[1].step, true);
}

/* The write of the first thread, after its access, from which the second thread reads at this step
 * before its own; 0: none. */
static u32 handed_write(const struct report *r, u32 step)
{
	const struct event *e = event_at(r, step), *w = e->from ? event_at(r, e->from) : NULL;

	return w && kind_is_read(e->kind) && e->thread == event_at(r, r->race[1].step)->thread &&
			       e->from > r->race[0].step &&
			       w->thread == event_at(r, r->race[0].step)->thread &&
			       is_atomic_access(e) && is_atomic_access(w)
		       ? e->from
		       : 0;
}

/* How likely is it that this read was meant to synchronise? One side of it would; or it is a load,
 * not part of a counter. */
static unsigned intention(const struct report *r, u32 read, u32 write)
{
	bool half = releases(r, write) || acquires(r, read);

	return 2 * half + (event_at(r, read)->kind == EV_READ) + 1;
}

/* The read of such a write that is most likely meant to synchronise, the last of these; 0: none. */
static u32 handing_read(const struct report *r)
{
	unsigned best = 0, rank;
	u32 found = 0, write;

	for (u32 step = r->race[1].step - 1; step > r->race[0].step; step--) {
		write = handed_write(r, step);
		rank = write ? intention(r, step, write) : 0;
		if (rank > best) {
			best = rank;
			found = step;
		}
	}
	return found;
}

static char *access_order_words(const struct event *e)
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
	char *w = xprintf("%s's %s of %s at %s", a, noun_of_access(&from->ev->e), from->place,
		step_place(r, from->ev->e.step));
	char *l = xprintf("%s's %s of it at %s", b, noun_of_access(&to->ev->e),
		step_place(r, read));

	if (!rel && !acq)
		return xprintf("%s is %s, and so is %s: they do not synchronise", w,
			access_order_words(&from->ev->e), l);
	if (!rel)
		return xprintf("%s is %s, not release, so %s does not synchronise with it", w,
			access_order_words(&from->ev->e), l);
	if (!acq)
		return xprintf("%s is %s, not acquire, so it does not synchronise with %s",
			xprintf("%s's %s of %s at %s", b, noun_of_access(&to->ev->e), to->place,
				step_place(r, read)),
			access_order_words(&to->ev->e),
			xprintf("%s's %s at %s", a, noun_of_access(&from->ev->e),
				step_place(r, from->ev->e.step)));
	return NULL;
}

/* Did the thread release the same place before that weak store, after its access? Then the version
 * of the standard matters: up to C17 a thread's own later stores belong to the release sequence. */
static u32 older_release(const struct report *r, u32 store)
{
	const struct event *e = event_at(r, store);

	for (u32 step = store - 1; step > r->race[0].step && kind_is_write(e->kind); step--) {
		const struct event *w = event_at(r, step);

		if (w->thread == e->thread && w->addr == e->addr && kind_is_write(w->kind) &&
			is_atomic_access(w) && releases(r, step))
			return step;
	}
	return 0;
}

static void find_note(struct report *r, u32 read)
{
	u32 store = event_at(r, read)->from, older = older_release(r, store);

	r->race_note = "the hardware of --model tso keeps these in order: there it is no race";
	if (!older || !acquires(r, read))
		return;
	r->rows[older - 1].mentioned = true;
	r->race_note = xprintf(
		"C11 and C17 count %s as part of the release sequence of %s; C++20 and this model "
		"do not",
		step_place(r, store), step_place(r, older));
}

/* The racing accesses are themselves the communication of the threads. */
static char *racing_communication(const struct report *r)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct row *reads = &r->rows[r->race[i].step - 1],
				 *writes = &r->rows[r->race[!i].step - 1];
		const char *a = thread_label(r, reads->ev->e.thread),
			   *b = thread_label(r, writes->ev->e.thread);

		if (!kind_is_access(reads->ev->e.kind) || !kind_is_access(writes->ev->e.kind))
			return NULL; /* a free, an exit */
		if (reads->ev->e.kind == EV_READ && kind_is_write(writes->ev->e.kind) &&
			reads->at && reads->at->n && poll_is_at(&reads->at->at[0], reads->place))
			return xprintf("%s polls %s until %s stores it: these two accesses "
				       "synchronise, and have to be atomic (acquire, release)",
				a, writes->place, b);
		if (is_atomic_access(&reads->ev->e) && !is_atomic_access(&writes->ev->e))
			return xprintf("%s's %s is atomic, %s's %s of the same memory is not", a,
				noun_of_access(&reads->ev->e), b, noun_of_access(&writes->ev->e));
	}
	return NULL;
}

static void find_reason(struct report *r)
{
	const char *a = thread_label(r, event_at(r, r->race[0].step)->thread);
	const char *b = thread_label(r, event_at(r, r->race[1].step)->thread);
	u32 read = handing_read(r);

	r->race_why = read ? weak_link(r, read) : NULL;
	if (r->race_why)
		r->rows[read - 1].mentioned = true;
	if (r->race_why && report_has_orders(r))
		find_note(r, read);
	if (!r->race_why && !(r->race[0].nlocks && r->race[1].nlocks))
		r->race_why = racing_communication(r);
	if (r->race_why)
		return;
	if (share_a_lock(r)) /* else it would order them */
		r->race_why = xprintf("both hold %s, but for reading only",
			r->rows[r->race[0].locks[0] - 1].place);
	else if (r->race[0].nlocks && r->race[1].nlocks)
		r->race_why = xprintf("%s holds %s, %s holds %s: not the same lock", a,
			r->race[0].held, b, r->race[1].held);
	else if (r->race[0].nlocks || r->race[1].nlocks)
		r->race_why = xprintf("%s holds %s, %s holds no lock", r->race[0].nlocks ? a : b,
			r->race[!r->race[0].nlocks].held, r->race[0].nlocks ? b : a);
	else
		r->race_why = xprintf(
			"no synchronisation orders the two: nothing that %s releases afterwards is "
			"acquired by %s before",
			a, b);
}

/* The object of an event: the accessed memory, or the block that is allocated or freed. */
static const char *object_of(const struct report *r, u32 step)
{
	const struct event *e = event_at(r, step);

	for (u32 i = 0; i < r->t->nblocks && !operation_verb(e->kind); i++)
		if (!kind_is_access(e->kind) && r->t->blocks[i].address == e->addr)
			return r->blocks[i].name;
	return r->rows[step - 1].place;
}

/* The access itself, which may be in a primitive. */
static const struct frames *access_at(const struct report *r, u32 step)
{
	const struct trace_stack *stack = trace_stack(r->t, event_at(r, step)->stack);

	return stack && stack->nframes ? symbol_frames(r->symbols, stack->frames[0]) : NULL;
}

/* The object of an event: memory, or the function that returns. */
static const char *thing_of(const struct report *r, u32 step)
{
	const struct frames *at;

	if (event_at(r, step)->kind != EV_FRAME_END)
		return object_of(r, step);
	at = access_at(r, step);
	return at && at->n && at->at[0].function ? at->at[0].function : "a function";
}

/* About a block of the heap: the events name different parts of it. */
static char *heap_words(const struct report *r)
{
	char *side[2];

	for (unsigned i = 0; i < 2; i++) {
		u32 step = r->race[i].step;

		if (event_at(r, step)->kind == EV_EXIT) {
			side[i] = xprintf("%s exits", thread_label(r, event_at(r, step)->thread));
			continue;
		}
		side[i] = xprintf("%s %s %s at %s", thread_label(r, event_at(r, step)->thread),
			verb(r, step), thing_of(r, step), step_place(r, step));
	}
	return xprintf("%s: %s, %s", r->t->finding.f.message, side[0], side[1]);
}

static char *whole_place(const struct report *r)
{
	const struct row *row = &r->rows[r->race[1].step - 1];

	return *row->place ? xstrdup(row->place) : xstrdup("memory");
}

static char *side_words(const struct report *r, u32 step)
{
	return xprintf("%s %s it at %s", thread_label(r, event_at(r, step)->thread), verb(r, step),
		step_place(r, step));
}

void race_prepare(struct report *r)
{
	const struct finding *f = &r->t->finding.f;
	u32 a = f->other, b = f->step;
	bool heap = f->kind == FINDING_HEAP || f->kind == FINDING_STACK,
	     flag = f->kind == FINDING_FLAG;

	if (f->kind == FINDING_UNINIT && b && kind_is_access(event_at(r, b)->kind))
		r->message = xprintf(
			"use of uninitialised memory: %s %s %s, which was never stored",
			thread_label(r, event_at(r, b)->thread), verb(r, b), object_of(r, b));
	if ((f->kind != FINDING_RACE && !heap && !flag) || !a || !b || a == b)
		return;
	r->race[0].step = a < b ? a : b;
	r->race[1].step = a < b ? b : a;
	for (unsigned i = 0; i < 2; i++) {
		r->race[i].nlocks = locks_held(r, event_at(r, r->race[i].step)->thread,
			r->race[i].step, &r->race[i].locks);
		r->race[i].held = locks_of(r, &r->race[i]);
		r->rows[r->race[i].step - 1].key = true;
	}
	r->has_race = true;
	r->race_why = "";
	if (!(heap || flag) || strstr(f->message, "nothing orders") ||
		strstr(f->message, "may have "))
		find_reason(r);
	if (heap || flag) {
		r->message = heap_words(r);
		return;
	}
	r->message = xprintf("data race on %s: %s, %s", whole_place(r),
		side_words(r, r->race[0].step), side_words(r, r->race[1].step));
}

char *race_access(const struct report *r, unsigned i)
{
	const struct row *row = &r->rows[r->race[i].step - 1];
	const struct event *e = &row->ev->e;

	if (e->kind == EV_EXIT)
		return xprintf("%s exits", thread_long_label(r, e->thread));
	if (!kind_is_access(e->kind))
		return xprintf("%s %s %s", thread_long_label(r, e->thread),
			verb(r, r->race[i].step), thing_of(r, r->race[i].step));
	if (descriptor_verb(row) ||
		(e->flags & EVENT_USE && r->t->finding.f.kind == FINDING_STACK))
		return xprintf("%s %s %s", thread_long_label(r, e->thread),
			verb(r, r->race[i].step), row->place);
	return xprintf("%s %s %s = %s, %s", thread_long_label(r, e->thread),
		verb(r, r->race[i].step), row->place,
		name_of_value(r, &row->leaf, e->value, e->size),
		e->flags & EVENT_PLAIN ? "not atomic"
			: xprintf("atomic, %s", access_order_words(e)));
}

static bool same_source_line(const struct frames *a, const struct frames *b)
{
	const struct frame *x = a && a->n ? &a->at[0] : NULL, *y = b && b->n ? &b->at[0] : NULL;

	return x && y && x->file && y->file && x->line && x->line == y->line &&
	       x->column == y->column && !strcmp(x->file, y->file);
}

static bool same_race_place(const struct report *a, unsigned i, const struct report *b, unsigned k)
{
	u32 x = a->race[i].step, y = b->race[k].step;

	return same_source_line(a->rows[x - 1].at, b->rows[y - 1].at) &&
	       same_source_line(access_at(a, x), access_at(b, y));
}

bool race_is_same(const struct report *a, const struct report *b)
{
	if (!a->has_race || !b->has_race || a->t->finding.f.kind != b->t->finding.f.kind)
		return false;
	return (same_race_place(a, 0, b, 0) && same_race_place(a, 1, b, 1)) ||
	       (same_race_place(a, 0, b, 1) && same_race_place(a, 1, b, 0));
}
