/* SPDX-License-Identifier: ISC */
/* execute.c - the native threads follow a graph, by need; the next label for the explorer. See
 * execute.h. */
#include "graph/execute_priv.h"
#include "object/object.h"
#include "process/bytes.h"
#include "graph/sharing.h"
#include "machine/execution.h"
#include "heap/heap.h"
#include "cycle/state_cycle.h"
#include "machine/record.h"
#include "process/pages.h"
#include "machine/clock.h"

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
	sharing_clear();
	return true;
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

/* --- where the events of g are --------------------------------------------------------------- */

/* Events up to `known` have not moved. */
static void read_graph(const struct graph *g, u32 known)
{
	X.g = g;
	for (u32 e = known + 1; e <= g->n; e++)
		X.map[g->event[e].thread][g->event[e].index] = (u16)e;
}

static u32 source_of(const struct graph *g, const struct gevent *e)
{
	return e->rf && !(e->flags & E_WRITE)
		       ? (u32)g->event[e->rf].thread << 16 | g->event[e->rf].index
		       : 0;
}

static void note_passed(const struct gevent *e)
{
	X.passed[e->thread][e->index] = (struct passed){.value = e->value, .node = e->node,
		.stamp = e->flags & E_WRITE ? e->stamp : 0, .source = source_of(X.g, e),
		.flags = e->flags & (E_EXCL | E_RARE)};
}

/* A write must be the same one: its stamp covers its place in co, and the events cut by a revisit.
 * A read is the same if its source is, and its thread has not been blocked and resumed there
 * since. */
static bool is_same(const struct passed *p, const struct gevent *e)
{
	if (e->flags & E_WAIT && e->po_next)
		return !p->node;
	return !p->node || (p->node == e->node && p->value == e->value &&
			    p->flags == (e->flags & (E_EXCL | E_RARE)) &&
			    p->stamp == (e->flags & E_WRITE ? e->stamp : 0) &&
			    p->source == source_of(X.g, e));
}

static bool has_passed(const struct gevent *e)
{
	return X.f[e->thread].alive && X.f[e->thread].passed >= e->index;
}

/* Does g have all events that the native threads have passed? It had those up to `known` before,
 * and they have not changed. */
static bool can_go_on(const struct graph *g, u32 known)
{
	if (X.generation != X.cache->generation)
		return false;
	for (u32 t = 0; t < GRAPH_THREADS; t++)
		if (X.f[t].alive && X.f[t].passed > (t < g->nthreads ? g->thread[t].n : 0))
			return false;
	for (u32 e = g->n; e > known; e--) {
		const struct gevent *ev = &g->event[e];

		if (has_passed(ev) && !is_same(&X.passed[ev->thread][ev->index], ev))
			return false;
	}
	return true;
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

/* From the explorer's stack to a native thread's and back. */
static void switch_in(u32 slot)
{
	M.cur = &M.thread[slot];
	M.in_execution = true;
	machine_exploring = EXPLORING;
	__heddle_turns = 1;
	fiber_switch(&M.scheduler, &M.cur->fiber);
	M.in_execution = false;
	machine_exploring = 0;
	__heddle_turns = 0;
}

/* t does not reach an event that it has in the graph. */
static void report_divergence(const struct thread *t)
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

/* The event that must be passed first, so that `slot` passes `index`. Missing threads are
 * created. */
static struct need first_need(struct thread *who, u32 slot, u32 index)
{
	while (!X.f[slot].alive) {
		const struct gevent *create;

		BUG_ON(slot >= X.g->nthreads || !X.g->thread[slot].first);
		create = &X.g->event[X.g->event[X.g->thread[slot].first].rf];
		slot = create->thread;
		index = create->index;
	}
	return (struct need){who, (u16)slot, index};
}

/* The running thread waits until `slot` has passed its event `index`. */
static void require_event(struct thread *t, u32 slot, u32 index)
{
	while (X.f[slot].passed < index || !X.f[slot].alive) {
		struct need n = first_need(t, slot, index);

		BUG_ON(X.nneeds == array_size(X.need));
		X.need[X.nneeds++] = n;
		if (X.f[n.thread].dead) {
			report_divergence(&M.thread[n.thread]);
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

static void give_back(struct thread *t)
{
	struct need n;

	if (!is_needed(t))
		return;
	n = X.need[--X.nneeds];
	if (n.who)
		switch_to(t, n.who->slot);
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

/* What comes before the event of LABEL_TIME. */
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
	f->standing = true;
	if (unlikely(M.recording))
		record_arrival(t);
	X.answered = true;
	X.answer = ANSWER_LABEL;
	if (X.target != t->slot || X.nneeds)
		report_divergence(t);
	switch_back(t);
	if (unlikely(X.shown))
		failure_point();
	f->standing = false;
}

/* Yield l for ever: the thread cannot be resumed, it may have crashed. */
void execute_stand_dead(struct thread *t, const struct label *l)
{
	struct follower *f = &X.f[t->slot];
	struct fiber gone;
	struct need n;

	f->label = *l;
	f->standing = f->dead = true;
	if (is_needed(t)) {
		n = X.need[--X.nneeds];
		M.cur = n.who;
		fiber_switch(&gone, n.who ? &n.who->fiber : &M.scheduler);
	}
	X.answered = true;
	X.answer = ANSWER_LABEL;
	if (X.target != t->slot || X.nneeds)
		report_divergence(t);
	fiber_switch(&gone, &M.scheduler);
	__builtin_unreachable();
}

static bool reads_memory(const struct label *l)
{
	return l->type == LABEL_READ || l->type == LABEL_RMW || l->type == LABEL_CAS ||
	       l->type == LABEL_PLAIN_READ;
}

/* Does the thread's operation equal its event in g? A plain write before a read is one of code that
 * is not instrumented (see is_foreign). */
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

/* Operations whose effect follows after their event is passed, on the way to the thread's next
 * arrival. */
static bool is_begun_only(u8 type)
{
	return type == LABEL_SYNC || type == LABEL_CREATE || type == LABEL_JOIN ||
	       type == LABEL_ARRIVE || type == LABEL_LEAVE;
}

/* Pass the half of an access of which id is the first piece; returns its value, *last is the last
 * one. */
static u64 pass_pieces(struct thread *t, const struct label *l, u32 id, u32 *last)
{
	u32 end = graph_after_half(X.g, id);

	for (u32 i = id; i != end; i = X.g->event[i].po_next) {
		note_passed(&X.g->event[i]);
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
	give_back(t);
	return s;
}

/* Does it only read, and could as well once more? Spurious failures may be limited in number. */
static bool is_repeatable(const struct label *l, const struct gevent *e, bool writes)
{
	if (writes || e->flags & E_WAIT ||
		(e->flags & E_RARE && M.options->weak_cas != WEAK_CAS_AUTO))
		return false;
	return e->type == LABEL_READ || e->type == LABEL_CAS ||
	       (e->type == LABEL_SYNC && object_op_has(l->op, OP_TRIES) &&
		       !(l->flags & LABEL_TIMED) && !(e->flags & E_RARE));
}

static void note_access(
	struct loop_states *t, const struct label *l, const struct gevent *e, bool writes)
{
	struct loop_load load = {
		e->loc, e->type, l->order, l->fail, l->op, (e->flags & E_RARE) != 0, e->value};

	if (e->flags & E_READ)
		loop_state_read(t, e->value);
	loop_state_step(t, is_repeatable(l, e, writes) ? &load : NULL);
}

/* Pass event id, of a thread whose needs are met. */
static struct step pass_event(struct thread *t, const struct label *l, u32 id)
{
	struct follower *f = &X.f[t->slot];
	const struct gevent *e = &X.g->event[id], *write = NULL;
	struct step s = {.value = e->value};

	if (unlikely(e->flags & E_PIECE))
		return pass_access(t, l, id);
	for (u32 i = f->passed + 1; i < e->index; i++)
		X.passed[t->slot][i].node = 0;
	note_passed(e);
	f->passed = e->index;
	f->steps++;
	if (e->flags & E_READ && e->flags & E_EXCL &&
		e->po_next) { /* else it fails by being there */
		write = &X.g->event[e->po_next];
		note_passed(write);
		f->passed = write->index;
		s.excl = true;
		s.written = write->value;
	}
	note_access(&f->loops, l, e, write);
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
		give_back(t);
	return s;
}

struct step execute_step(const struct label *l)
{
	struct thread *t = M.cur;
	struct follower *f = &X.f[t->slot];
	struct label foreign;
	u32 e;

	M.steps++;
	give_back(t);
	execute_frames_step(f, l);
	for (;;) {
		e = execute_next_event(t->slot);
		if (!e) {
			foreign = *l;
			if (reads_memory(l) && execute_foreign_write(l, &foreign))
				;
			else if (f->passed >= M.max_steps &&
				 (l->type < LABEL_END || l->type == LABEL_TIME)) {
				M.bounds |= BOUND_STEPS;
				foreign = (struct label){.type = LABEL_BLOCK};
			}
			yield_label(t, &foreign);
			continue;
		}
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

/* --- spinning -------------------------------------------------------------------------------- */

/* The running thread was in the state it is in so many reads ago; 0: never. It goes on if others
 * may have seen it leave that state. */
static void note_return(u64 site, u64 reads)
{
	struct follower *f = &X.f[M.cur->slot];
	struct label l = {.type = LABEL_SPIN, .site = (u32)site, .value = reads};

	if (likely(!reads))
		return;
	if (!f->loops.again)
		execute_step(&l); /* does not return: it is the last event */
	f->again = (u16)f->loops.again;
	loop_state_reset(&f->loops);
}

void execute_loop_access(void)
{
	struct loop_states *s = &X.f[M.cur->slot].loops;
	u32 reads;

	if (!X.begun)
		return;
	reads = loop_state_at_access(s, machine_frame);
	note_return(machine_frame->return_address, reads);
	if (unlikely(reads))
		loop_state_at_access(s, machine_frame); /* kept, as a new beginning */
}

bool execute_loop_head(const struct loop_visit *v, u64 site)
{
	struct loop_states *s = &X.f[M.cur->slot].loops;
	bool moved = false;
	u32 reads;

	if (s->waits && loop_state_has_waited(s, v))
		X.f[M.cur->slot].again = LABEL_WAITED;
	reads = X.begun ? loop_state_at_head(s, v, &moved) : 0;
	note_return(site, reads);
	if (unlikely(reads))
		loop_state_at_head(s, v, &moved);
	X.f[M.cur->slot].skips |= moved;
	execute_wipe();
	return moved;
}

void execute_own_write(u64 addr, u32 size, const void *from)
{
	if (!bytes_equal((const void *)(uintptr_t)addr, from, size))
		loop_state_own_write(&X.f[M.cur->slot].loops, addr, size);
}

void execute_hands_over(const void *p)
{
	if (X.begun)
		loop_state_block(&X.f[M.cur->slot].loops, (u64)(uintptr_t)p);
}

void execute_await(bool again)
{
	struct label l = {.type = LABEL_SPIN, .value = X.f[M.cur->slot].loops.reads};

	if (again && l.value)
		execute_step(&l); /* does not return */
	execute_progress();
}

void execute_repeat(struct label *l)
{
	l->type = LABEL_SPIN;
	l->op = OBJECT_CHANNEL_LOOK;
	l->value = X.f[M.cur->slot].loops.reads;
	for (;;)
		execute_step(l);
}

void execute_progress(void)
{
	loop_state_reset(&X.f[M.cur->slot].loops);
}

void execute_affects(u64 what, u64 before, u64 after)
{
	loop_state_effect(&X.f[M.cur->slot].loops, what, before, after);
}

void execute_stores(u64 addr, u32 n, const u8 *from)
{
	loop_state_store(&X.f[M.cur->slot].loops, addr, n, from);
}

/* --- questions ------------------------------------------------------------------------------- */

bool execute_begun(void)
{
	return X.begun;
}

void execute_finish(void)
{
	if (!X.open)
		return;
	X.running = X.open = false;
	execution_over();
}

static void restart_program(void)
{
	if (X.open)
		execution_over();
	X.open = true;
	X.run++;
	X.generation = X.cache->generation;
	X.begun = false;
	for (u32 i = 0; i < GRAPH_THREADS; i++)
		X.f[i].alive = false;
	heap_restore();
	execute_frames_begin();
	execution_prepare();
	state_cycle_begin();
	X.running = true;
}

/* Run t to its position in g; false: see X.answer. */
static bool run_thread_to(u32 t)
{
	X.target = t;
	X.nneeds = 0;
	X.answered = false;
	while (!X.f[t].alive) {
		struct need n = first_need(NULL, t, 1);

		X.need[X.nneeds++] = n;
		switch_in(n.thread);
		if (X.answered)
			return false;
	}
	if (X.f[t].standing && !execute_next_event(t))
		return true;
	if (X.f[t].dead) {
		report_divergence(&M.thread[t]);
		return false;
	}
	switch_in(t);
	return X.answer == ANSWER_LABEL;
}

static bool is_over(void)
{
	/* A frontier can be kept at a leaf only. */
	return clock_is_up && (!M.options->checkpoint[0] || clock_presses());
}

/* Has the graph grown enough for a check? */
static bool has_grown(const struct graph *g)
{
	if (likely(!execute_limit || g->n < execute_limit) || M.options->jobs > 1)
		return false;
	execute_limit = 0;
	return true;
}

bool execute_enough(struct program *p)
{
	if (!is_over())
		return false;
	X.stopped = EXECUTE_STOPPED;
	return true;
}

enum answer execute_next(struct program *p, struct graph *g, u32 t, struct label *out)
{
	u32 known;

	if (X.stopped)
		return ANSWER_STOP;
	if (X.again && g->n)
		return ANSWER_RESTART;
	X.again = false;
	*out = (struct label){.type = LABEL_START};
	if (t && !g->thread[t].n)
		return ANSWER_LABEL;
	if (is_over() || unlikely(has_grown(g))) {
		X.stopped = EXECUTE_STOPPED;
		return ANSWER_STOP;
	}
	known = X.g == g ? g->known : 0;
	read_graph(g, known);
	g->known = g->n;
	if (!X.running || !can_go_on(g, known))
		restart_program();
	BUG_ON(TINY(!can_go_on(g, 0), false));
	if (!run_thread_to(t))
		return X.answer;
	*out = X.f[t].label;
	return ANSWER_LABEL;
}

/* --- following a plan ------------------------------------------------------------------------ */

static bool run_up_to(const struct gevent *e)
{
	u32 t = e->thread;

	X.target = t;
	while (!X.f[t].alive || X.f[t].passed < e->index) {
		X.nneeds = 0;
		X.answered = false;
		X.need[X.nneeds++] = first_need(NULL, t, e->index);
		switch_in(X.need[0].thread);
		if (X.answered)
			return false;
	}
	return true;
}

bool execute_replay(const struct graph *g, const struct plan *p, u32 failure)
{
	read_graph(g, 0);
	restart_program();
	X.failure = failure;
	for (u32 i = 0; i < p->n; i++) {
		if (!plan_commits(p->item[i]) && !run_up_to(&g->event[plan_event(p->item[i])]))
			return false;
	}
	return true;
}

bool execute_again(void)
{
	return X.again;
}

bool execute_run_to(u32 t)
{
	return run_thread_to(t);
}

void execute_show(struct thread *t)
{
	const struct follower *f = &X.f[t->slot];

	if (!f->standing || f->dead)
		return;
	X.target = t->slot;
	X.nneeds = 0;
	X.shown = true;
	switch_in(t->slot); /* and it is there again at once */
	X.shown = false;
}

u32 execute_recorded(const struct graph *g, u32 e)
{
	return e ? X.record[g->event[e].thread][g->event[e].index] : 0;
}
