/* SPDX-License-Identifier: ISC */
/* flight_rings.c - see flight.h: the events in the recorder's memory, and their order. */
#include "recorder/flight.h"

#include <stdlib.h>

#include "die.h"

enum call_how { WAIT, LOCK, GIVE, LEAVE, START, END };

static enum call_how call_of(enum flight_kind kind)
{
	static const u8 calls[FLIGHT_KINDS] = {
		[FLIGHT_FAULT] = END,
#define CALL(how, ret, name, params, args, object) [FLIGHT_##name] = how,
#define SYSTEM_CALL(how, name) [FLIGHT_##name] = how,
#include "flight/calls.def"
#undef CALL
	};

	return (enum call_how)calls[kind];
}

/* Has its value the time of its end? */
static bool flight_has_time(enum flight_kind kind)
{
	return kind > FLIGHT_FENCE && call_of(kind) != LEAVE &&
	       call_of(kind) != START;
}

bool flight_waits(const struct flight_step *s)
{
	return s->kind > FLIGHT_FENCE && s->value == FLIGHT_PENDING;
}

bool flight_ends(const struct flight_step *s)
{
	return s->kind > FLIGHT_FENCE && call_of(s->kind) == END;
}

bool flight_fails(const struct flight_step *s)
{
	return flight_ends(s) && (s->object || s->kind == FLIGHT_FAULT);
}

bool flight_returns(enum flight_kind kind)
{
	return kind > FLIGHT_FENCE && call_of(kind) <= LOCK;
}

#define ADDRESS(x) ((x) & ((1ull << FLIGHT_ADDRESS_BITS) - 1))

/* begins: when its chunk did, just before it; 0: in a chunk */
static void add_step(struct flight *f, u32 thread, const struct flight_event *e, u64 begins)
{
	u64 kind = e->place >> FLIGHT_ADDRESS_BITS, ends = 0, time;

	if (!kind || kind >= FLIGHT_KINDS)
		return; /* not finished */
	if (flight_has_time((enum flight_kind)kind) && e->value != FLIGHT_PENDING)
		ends = e->value >> FLIGHT_RESULT_BITS;
	time = ends ? ends : begins;
	f->step[f->nsteps++] = (struct flight_step){thread, (enum flight_kind)kind,
		ADDRESS(e->place), ADDRESS(e->object), e->value, e->object >> FLIGHT_ADDRESS_BITS,
		time, time != 0};
}

static u32 count_events(const struct flight_chunk *c)
{
	u32 n = 0;

	while (n < FLIGHT_EVENTS && c->event[n].place)
		n++;
	return n;
}

static void add_chunk(struct flight *f, u32 thread, const struct flight_chunk *c)
{
	u32 n = count_events(c);

	for (u32 i = 0; i < n; i++)
		add_step(f, thread, &c->event[i], i ? 0 : c->time);
}

/* Times of their own only grow, and the others are those before them; at the beginning, after. */
static void complete_times(struct flight *f, const struct flight_thread *t)
{
	struct flight_step *s = f->step + t->first;
	u64 time = 0;

	for (u32 i = 0; i < t->n && !time; i++)
		time = s[i].time;
	for (u32 i = 0; i < t->n; i++)
		s[i].time = time = s[i].time > time ? s[i].time : time;
}

/* Chunk numbers of a broken file are any. */
static void add_chunks(struct flight *f, struct flight_thread *t, const struct flight_ring *r)
{
	u64 newest = 0;

	for (u32 i = 0; i < FLIGHT_CHUNKS; i++)
		newest = r->chunk[i].number > newest ? r->chunk[i].number : newest;
	for (u64 k = FLIGHT_CHUNKS; k-- > 0;)
		if (newest > k && r->chunk[(newest - k) % FLIGHT_CHUNKS].number == newest - k)
			add_chunk(f, f->nthreads, &r->chunk[(newest - k) % FLIGHT_CHUNKS]);
	if (newest)
		t->events = (newest - 1) * FLIGHT_EVENTS +
			    count_events(&r->chunk[newest % FLIGHT_CHUNKS]);
}

static void add_ring(
	struct flight *f, const struct flight_owner *o, const struct flight_ring *r)
{
	struct flight_thread *t = &f->thread[f->nthreads];

	*t = (struct flight_thread){.tid = o->tid,
		.handle = o->thread,
		.ended = o->state == FLIGHT_ENDED,
		.first = f->nsteps};
	add_chunks(f, t, r);
	t->n = f->nsteps - t->first;
	if (!t->n)
		return;
	t->name = o->tid == f->pid ? "main" : xprintf("T%u", ++f->nothers);
	complete_times(f, t);
	f->nthreads++;
}

static int by_time(const void *a, const void *b, void *of)
{
	const struct flight *f = of;
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	if (f->step[x].time != f->step[y].time)
		return f->step[x].time < f->step[y].time ? -1 : 1;
	return x < y ? -1 : x > y;
}

void flight_of_box(struct flight *f, const struct flight_box *b)
{
	f->pid = b->pid;
	f->lost = b->lost;
	f->thread = xmalloc((b->threads + 1) * sizeof(*f->thread));
	f->step = xmalloc(((u64)b->threads * FLIGHT_CHUNKS * FLIGHT_EVENTS + 1) * sizeof(*f->step));
	for (u32 i = 0; i < b->threads; i++)
		if (b->owner[i].state != FLIGHT_FREE)
			add_ring(f, &b->owner[i], &b->ring[i]);
	f->order = xmalloc((f->nsteps + 1) * sizeof(*f->order));
	for (u32 i = 0; i < f->nsteps; i++)
		f->order[i] = i;
	qsort_r(f->order, f->nsteps, sizeof(*f->order), by_time, f);
}
