/* SPDX-License-Identifier: ISC */
/* execute.c - native threads follow a graph as needed; the next label for the explorer. See
 * execute.h. */
#include "graph/execute_priv.h"
#include "object/object.h"
#include "graph/foresee.h"
#include "graph/sharing.h"
#include "machine/record/record.h"
#include "process/pages.h"

#include <stdarg.h>
#include <stdio.h>

struct execute_state X;

__attribute__((visibility("default"))) u8 __heddle_turns;

/* --- memory of our own ----------------------------------------------------------------------- */

bool execute_init(struct places *places, const struct cache *cache)
{
	if (!X.f) {
		X.f = pages_take(GRAPH_THREADS * sizeof *X.f);
		X.map = pages_take(GRAPH_THREADS * sizeof *X.map);
		X.passed = pages_take(GRAPH_THREADS * sizeof *X.passed);
		X.record = pages_take(GRAPH_THREADS * sizeof *X.record);
		X.written = pages_take(PLACES_MAX * sizeof *X.written);
		X.promoted = pages_take(PLACES_MAX * sizeof *X.promoted);
		X.unseen = pages_take(PLACES_MAX * sizeof *X.unseen);
	}
	if (!X.f || !X.map || !X.passed || !X.record || !X.written || !X.promoted ||
		!X.unseen)
		return false;
	for (u32 i = 0; i < PLACES_MAX; i++)
		X.promoted[i] = X.unseen[i] = false;
	X.places = places;
	X.cache = cache;
	X.running = X.begun = X.again = X.unbalanced = false;
	X.stopped = EXECUTE_GOES_ON;
	X.nfindings = 0;
	if (!foresee_adopt())
		sharing_clear();
	region_begin(0);
	return true;
}

const struct cat_model *execute_model_file(void)
{
	return X.places->cat;
}

enum execute_stop execute_stopped(void)
{
	return X.stopped;
}

void execute_resume(enum execute_stop s)
{
	X.stopped = s;
	X.again = X.running = false;
}

void execute_stop_as(enum execute_stop s, const char *words)
{
	execute_resume(s);
	snprintf(X.words, sizeof X.words, "%s", words);
}

const char *execute_words(void)
{
	return X.words;
}

/* --- events of threads ----------------------------------------------------------------------- */

static void note_passed_event(const struct gevent *e)
{
	X.passed[e->thread][e->index] = (struct passed){.value = e->value, .node = e->node,
		.stamp = e->flags & E_WRITE ? e->stamp : 0, .source = passed_source(X.g, e),
		.flags = e->flags & (E_EXCL | E_RARE)};
}

/* The thread's next event, without marks; 0 = none. */
u32 execute_next_event(u32 slot)
{
	u32 n = slot < X.g->nthreads ? X.g->thread[slot].n : 0;

	for (u32 i = X.f[slot].passed + 1; i <= n; i++)
		if (!(X.g->event[X.map[slot][i]].flags & E_WAIT))
			return X.map[slot][i];
	return 0;
}

/* --- switching ------------------------------------------------------------------------------- */

static void switch_to(struct thread *from, u32 slot)
{
	struct thread *to = &M.thread[slot];

	M.cur = to;
	M.steps++;
	fiber_switch(&from->fiber, &to->fiber);
}

static void switch_back(struct thread *from)
{
	M.steps++;
	fiber_switch(&from->fiber, &M.scheduler);
}

/* t does not reach an event that it has in the graph. */
void execute_stop_divergence(const struct thread *t)
{
	X.answer = ANSWER_STOP;
	X.stopped = EXECUTE_DIVERGED;
	snprintf(X.words, sizeof X.words,
		"T%u does not reach the same operation with the same values", t->number);
}

void execute_leave(enum execute_stop why)
{
	struct fiber gone;

	X.stopped = why;
	X.answer = ANSWER_STOP;
	X.answered = true;
	X.f[M.cur->slot].dead = true;
	fiber_switch(&gone, &M.scheduler);
	__builtin_unreachable();
}

void execute_unsupported(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(X.words, sizeof X.words, format, ap);
	va_end(ap);
	execute_leave(EXECUTE_UNSUPPORTED);
}

u32 execute_limit;

void execute_give_up(const char *words)
{
	X.stopped = EXECUTE_UNSUPPORTED;
	snprintf(X.words, sizeof X.words, "%s", words);
}

/* New facts about the program invalidate all results so far. */
void execute_begin_again(void)
{
	struct fiber gone;

	X.answer = ANSWER_RESTART;
	X.answered = X.again = true;
	X.running = false;
	fiber_switch(&gone, &M.scheduler);
	__builtin_unreachable();
}

/* --- needs ----------------------------------------------------------------------------------- */

/* The event that must be passed before `slot` can pass `index`. Missing threads are created. */
struct need execute_first_need(struct thread *waiter, u32 slot, u32 index)
{
	while (!execute_is_alive(slot)) {
		const struct gevent *create;

		BUG_ON(slot >= X.g->nthreads || !X.g->thread[slot].first);
		create = &X.g->event[X.g->event[X.g->thread[slot].first].rf];
		slot = create->thread;
		index = create->index;
	}
	return (struct need){waiter, (u16)slot, index};
}

/* The running thread waits until `slot` has passed its event `index`. */
static void require_event(struct thread *t, u32 slot, u32 index)
{
	while (X.f[slot].passed < index || !execute_is_alive(slot)) {
		struct need n = execute_first_need(t, slot, index);

		BUG_ON(X.nneeds == array_size(X.need));
		X.need[X.nneeds++] = n;
		if (X.f[n.thread].dead) {
			execute_stop_divergence(&M.thread[n.thread]);
			execute_leave(EXECUTE_DIVERGED);
		}
		switch_to(t, n.thread);
	}
}

/* The running thread has passed an event: does another thread wait for that? */
static bool is_needed(const struct thread *t)
{
	const struct need *n = &X.need[X.nneeds - 1];

	return X.nneeds && n->thread == t->slot && X.f[t->slot].passed >= n->index;
}

static void give_back_fiber(struct thread *t)
{
	struct need n;

	if (!is_needed(t))
		return;
	n = X.need[--X.nneeds];
	if (n.waiter)
		switch_to(t, n.waiter->slot);
	else
		switch_back(t);
}

static void require_pieces(struct thread *t, u32 id)
{
	u32 n = 0, piece[PIECES_MAX];

	for (u32 end = graph_after_half(X.g, id); id != end; id = X.g->event[id].po_next)
		piece[n++] = X.g->event[id].index;
	for (u32 i = 0; i < n; i++) { /* X.g may be another one behind each */
		const struct gevent *e = piece[i] <= X.g->thread[t->slot].n
						 ? &X.g->event[X.map[t->slot][piece[i]]] : NULL;

		if (e && e->rf && e->flags & E_READ)
			require_event(t, X.g->event[e->rf].thread, X.g->event[e->rf].index);
	}
}

/* The predecessors of the event of LABEL_TIME. */
static void require_all(struct thread *t, u32 id)
{
	u16 clock[GRAPH_THREADS] __attribute__((aligned(16)));

	clock_copy(clock, graph_cause(X.g, id), X.g->lanes);
	for (u32 u = 0; u < X.g->nthreads && u < X.g->lanes; u++)
		if (u != t->slot && clock[u])
			require_event(t, u, clock[u]);
}

static void require_sources(struct thread *t, u32 id)
{
	const struct graph *g = X.g;
	const struct gevent *e = &g->event[id];

	if (unlikely(e->flags & E_PIECE))
		require_pieces(t, id);
	else if (e->rf && !(e->flags & E_WRITE))
		require_event(t, g->event[e->rf].thread, g->event[e->rf].index);
	if (e->type == LABEL_TIME)
		require_all(t, id);
	if (e->type != LABEL_LEAVE)
		return;
	for (u32 i = g->place[e->loc].reads; i; i = g->event[i].loc_prev)
		if (g->event[i].type == LABEL_ARRIVE && g->event[i].round == e->round)
			require_event(t, g->event[i].thread, g->event[i].index);
}

/* --- the running thread ---------------------------------------------------------------------- */

/* Yield l, which is in no graph yet, and wait until the graph has it. */
static void yield_label(struct thread *t, const struct label *l)
{
	struct follower *f = &X.f[t->slot];

	f->label = *l;
	f->label.again = (l->type < LABEL_END || l->type == LABEL_TIME) &&
					 l->type != LABEL_ARRIVE && l->type != LABEL_LEAVE
				 ? f->again
				 : 0;
	f->label.skips = f->skips;
	f->yielded = true;
	if (unlikely(M.recording))
		record_arrival(t);
	X.answered = true;
	X.answer = ANSWER_LABEL;
	if (X.target != t->slot || X.nneeds)
		execute_stop_divergence(t);
	switch_back(t);
	if (unlikely(X.shown))
		failure_point();
	f->yielded = false;
}

/* Yield l for ever: the thread cannot be resumed, it may have crashed. */
void execute_stand_dead(struct thread *t, const struct label *l)
{
	struct follower *f = &X.f[t->slot];
	struct fiber gone;
	struct need n;

	f->label = *l;
	f->yielded = f->dead = true;
	if (is_needed(t)) {
		n = X.need[--X.nneeds];
		M.cur = n.waiter;
		fiber_switch(&gone, n.waiter ? &n.waiter->fiber : &M.scheduler);
	}
	X.answered = true;
	X.answer = ANSWER_LABEL;
	if (X.target != t->slot || X.nneeds)
		execute_stop_divergence(t);
	fiber_switch(&gone, &M.scheduler);
	__builtin_unreachable();
}

static bool reads_memory(const struct label *l)
{
	return l->type == LABEL_READ || l->type == LABEL_RMW || l->type == LABEL_CAS ||
	       l->type == LABEL_PLAIN_READ;
}

/* Does the thread's operation equal its event in g? A plain write before a read may be that of code
 * that is not instrumented (see is_foreign). */
static bool fits_label(const struct label *l, const struct gevent *e)
{
	const struct label *was = &X.cache->node[e->node].label;

	return (e->type == l->type ? execute_is_of(l, e->loc)
				   : e->type == LABEL_TIME && label_deadline(l)) &&
	       (was->type == LABEL_UNKNOWN || label_equal(was, l));
}

static bool is_write_before(const struct label *l, const struct gevent *e)
{
	return reads_memory(l) && e->type == LABEL_PLAIN_WRITE && execute_is_of(l, e->loc);
}

/* Operations whose effect follows their event, before the thread's next arrival. */
static bool is_begun_only(u8 type)
{
	return type == LABEL_SYNC || type == LABEL_CREATE || type == LABEL_JOIN ||
	       type == LABEL_ARRIVE || type == LABEL_LEAVE;
}

/* Pass the half of an access whose first piece is id; returns its value, *last: its last piece. */
static u64 pass_pieces(struct thread *t, const struct label *l, u32 id, u32 *last)
{
	u32 end = graph_after_half(X.g, id);

	for (u32 i = id; i != end; i = X.g->event[i].po_next) {
		note_passed_event(&X.g->event[i]);
		X.f[t->slot].passed = X.g->event[i].index;
		if (X.g->event[i].flags & E_WRITE)
			execute_write(i);
		*last = i;
	}
	return graph_access_value(X.g, id, l->loc);
}

/* The same as pass_event() of an access of several locations. */
static struct step pass_access(struct thread *t, const struct label *l, u32 id)
{
	struct follower *f = &X.f[t->slot];
	const struct gevent *e = &X.g->event[id];
	u32 last = id, write = 0;
	struct step s = {.value = 0};

	for (u32 i = f->passed + 1; i < e->index; i++)
		X.passed[t->slot][i].node = 0;
	s.value = pass_pieces(t, l, id, &last);
	f->steps++;
	if (e->flags & E_READ)
		loop_state_read(&f->loops, s.value);
	if (e->flags & E_READ && e->flags & E_EXCL && X.g->event[last].po_next) {
		write = X.g->event[last].po_next;
		s.written = pass_pieces(t, l, write, &last);
		s.excl = true;
	}
	if (unlikely(M.recording))
		execute_record(t, l, e, write ? &X.g->event[write] : NULL);
	give_back_fiber(t);
	return s;
}

/* Does it only read, so that it could be repeated? Spurious failures may be limited in number. */
static bool is_repeatable(const struct label *l, const struct gevent *e, bool writes)
{
	if (writes || e->flags & E_WAIT ||
		(e->flags & E_RARE && M.options->weak_cas != WEAK_CAS_AUTO))
		return false;
	return e->type == LABEL_READ || e->type == LABEL_CAS ||
	       (e->type == LABEL_SYNC && object_op_has(l->op, OP_TRIES) &&
		       !(l->flags & LABEL_TIMED) && !(e->flags & E_RARE));
}

static void note_native_access(
	struct loop_states *t, const struct label *l, const struct gevent *e, bool writes)
{
	struct loop_load load = {
		e->loc, e->type, l->order, l->fail, l->op, (e->flags & E_RARE) != 0, e->value};

	if (e->flags & E_READ)
		loop_state_read(t, e->value);
	loop_state_step(t, is_repeatable(l, e, writes) ? &load : NULL);
}

/* Pass event id; the events that it needs have been passed. */
static struct step pass_event(struct thread *t, const struct label *l, u32 id)
{
	struct follower *f = &X.f[t->slot];
	const struct gevent *e = &X.g->event[id], *write = NULL;
	struct step s = {.value = e->value};

	if (unlikely(e->flags & E_PIECE))
		return pass_access(t, l, id);
	for (u32 i = f->passed + 1; i < e->index; i++)
		X.passed[t->slot][i].node = 0;
	f->marks += e->index - 1u - f->passed;
	f->ordinal = e->index - f->marks;
	note_passed_event(e);
	f->passed = e->index;
	f->steps++;
	if (e->flags & E_READ && e->flags & E_EXCL &&
		e->po_next) { /* else the event is itself the failure */
		write = &X.g->event[e->po_next];
		note_passed_event(write);
		f->passed = write->index;
		s.excl = true;
		s.written = write->value;
	}
	note_native_access(&f->loops, l, e, write);
	f->again = 0;
	f->skips = false;
	if (e->flags & E_WRITE)
		execute_write(id);
	if (write)
		execute_write(e->po_next);
	if (unlikely(M.recording))
		execute_record(t, l, e, write);
	if (e->type == LABEL_TIME)
		execute_time_passed(t, l, e->value);
	if (!is_begun_only(e->type))
		give_back_fiber(t);
	return s;
}

/* The thread has passed all of its events, and arrives at l. Its next label is l, a write of code
 * that is not instrumented, or the end of its execution. */
static struct label next_label(struct follower *f, const struct label *l)
{
	struct label next = *l;

	if ((f->foreign_site || reads_memory(l)) && execute_foreign_write(f, l, &next))
		return next;
	if (f->passed >= M.max_steps && (l->type < LABEL_END || l->type == LABEL_TIME)) {
		M.bounds |= BOUND_STEPS;
		next = (struct label){.type = LABEL_BLOCK};
	}
	return next;
}

static struct step follow_step(const struct label *l)
{
	struct thread *t = M.cur;
	struct follower *f = &X.f[t->slot];
	struct label next;
	u32 e;

	execute_tick();
	M.steps++;
	if (l->type != LABEL_PLAIN_READ && l->type != LABEL_PLAIN_WRITE)
		region_leave();
	give_back_fiber(t);
	execute_frames_step(f, l);
	if (unlikely(f->foreign_site))
		execute_foreign_begin(f);
	for (;;) {
		e = execute_next_event(t->slot);
		if (!e) {
			next = next_label(f, l);
			yield_label(t, &next);
			continue;
		}
		if (unlikely(f->foreign_site) && execute_foreign_passes(f, l, &X.g->event[e])) {
			t->announced = f->foreign_stack;
			pass_event(t, l, e);
			t->announced = 0;
			continue;
		}
		if (unlikely(f->foreign_writes))
			execute_foreign_leave(f);
		if (!fits_label(l, &X.g->event[e])) {
			if (!is_write_before(l, &X.g->event[e]))
				execute_diverge(t, &X.cache->node[X.g->event[e].node].label, l);
			pass_event(t, l, e);
			continue;
		}
		if (X.g->event[e].rf || X.g->event[e].type == LABEL_LEAVE ||
			X.g->event[e].type == LABEL_TIME ||
			X.g->event[e].flags & E_PIECE) {
			require_sources(t, e);
			e = execute_next_event(t->slot); /* g may be another one by now */
			if (!e)
				continue;
		}
		return pass_event(t, l, e);
	}
}

struct step execute_step(const struct label *l)
{
	struct step s = follow_step(l);

	if (unlikely(X.f[M.cur->slot].foreign_site))
		execute_foreign_resume(&X.f[M.cur->slot], l);
	return s;
}
