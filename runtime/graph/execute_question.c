/* SPDX-License-Identifier: ISC */
/* execute_question.c - questions of the explorer: the next label of a thread, events along a plan.
 * The native execution continues if the graph contains it; otherwise another one begins. */
#include "graph/deps.h"
#include "graph/execute_priv.h"
#include "graph/own_memory.h"
#include "machine/execution/clock.h"
#include "machine/execution/execution.h"
#include "machine/learnt.h"
#include "machine/execution/tsan_store.h"
#include "heap/heap.h"
#include "heap/uninit.h"
#include "cycle/state_cycle.h"

/* --- the graph -------------------------------------------------------------------------------- */

/* Events up to `known` have not moved. */
static void reread_graph(const struct graph *g, u32 known)
{
	X.g = g;
	for (u32 e = known + 1; e <= g->n; e++)
		X.map[g->event[e].thread][g->event[e].index] = (u16)e;
}

/* A write must be identical: its stamp covers its place in co, and the events cut by a revisit. A
 * read is the same if its source is, and its thread has not been blocked and resumed there
 * since. */
static bool is_same_event(const struct passed *p, const struct gevent *e)
{
	if (e->flags & E_WAIT && e->po_next)
		return !p->node;
	return !p->node || (p->node == e->node && p->value == e->value &&
			    p->flags == (e->flags & (E_EXCL | E_RARE)) &&
			    p->stamp == (e->flags & E_WRITE ? e->stamp : 0) &&
			    p->source == passed_source(X.g, e));
}

static bool has_passed(const struct gevent *e)
{
	return execute_is_alive(e->thread) && X.f[e->thread].passed >= e->index;
}

/* Does g have all events that the native threads have passed? Those up to `known` have not changed
 * since the last check. */
static bool can_go_on(const struct graph *g, u32 known)
{
	if (X.generation != X.cache->generation)
		return false;
	for (u64 left = X.alive; left; left &= left - 1) {
		u32 t = (u32)__builtin_ctzll(left);

		if (X.f[t].passed > (t < g->nthreads ? g->thread[t].n : 0))
			return false;
	}
	for (u32 e = g->n; e > known; e--) {
		const struct gevent *ev = &g->event[e];

		if (has_passed(ev) && !is_same_event(&X.passed[ev->thread][ev->index], ev))
			return false;
	}
	return true;
}

/* --- the native execution --------------------------------------------------------------------- */

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
	X.alive = 0;
	own_memory_begin(M.engine == &graph_engine && !M.recording && !deps_on && !uninit_on &&
			 !X.variables && !tsan_store_used);
	heap_restore();
	execute_frames_begin();
	if (deps_on)
		deps_begin();
	execution_prepare();
	state_cycle_begin();
	X.running = true;
}

/* Switch from the explorer's stack to a native thread's and back. */
static void switch_in(u32 slot)
{
	M.cur = &M.thread[slot];
	M.in_execution = true;
	machine_exploring = EXPLORING;
	__heddle_turns = 1;
	own_memory_run(true);
	fiber_switch(&M.scheduler, &M.cur->fiber);
	own_memory_run(false);
	M.in_execution = false;
	machine_exploring = 0;
	__heddle_turns = 0;
}

/* Run t to its position in g; false: see X.answer. */
static bool run_thread_to(u32 t)
{
	X.target = t;
	X.nneeds = 0;
	X.answered = false;
	while (!execute_is_alive(t)) {
		struct need n = execute_first_need(NULL, t, 1);

		X.need[X.nneeds++] = n;
		switch_in(n.thread);
		if (X.answered)
			return false;
	}
	if (X.f[t].yielded && !execute_next_event(t))
		return true;
	if (X.f[t].dead) {
		execute_stop_divergence(&M.thread[t]);
		return false;
	}
	switch_in(t);
	return X.answer == ANSWER_LABEL;
}

/* --- questions -------------------------------------------------------------------------------- */

static bool is_execution_over(void)
{
	/* A frontier can only be kept at a leaf. */
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
	if (!is_execution_over())
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
	if (!g->n) {
		learnt_adopt();
		own_memory_renew();
		if (unlikely(tally_any()))
			execute_know_tallies();
	}
	*out = (struct label){.type = LABEL_START};
	if (t && !g->thread[t].n)
		return ANSWER_LABEL;
	if (is_execution_over() || unlikely(has_grown(g))) {
		X.stopped = EXECUTE_STOPPED;
		return ANSWER_STOP;
	}
	known = X.g == g ? g->known : 0;
	reread_graph(g, known);
	g->known = g->n;
	if (!X.running || !can_go_on(g, known))
		restart_program();
	BUG_ON(TINY(!can_go_on(g, 0), false));
	if (!run_thread_to(t))
		return X.answer;
	*out = X.f[t].label;
	return ANSWER_LABEL;
}

enum answer execute_try(struct program *p, struct graph *g, u32 t, struct label *out)
{
	enum answer answer = execute_next(p, g, t, out);

	if (X.stopped != EXECUTE_DIVERGED)
		return answer;
	X.stopped = EXECUTE_GOES_ON;
	X.running = false;
	*out = (struct label){.type = LABEL_UNKNOWN};
	return ANSWER_LABEL;
}

/* --- following a plan ------------------------------------------------------------------------ */

static bool run_up_to(const struct gevent *e)
{
	u32 t = e->thread;

	X.target = t;
	while (!execute_is_alive(t) || X.f[t].passed < e->index) {
		X.nneeds = 0;
		X.answered = false;
		X.need[X.nneeds++] = execute_first_need(NULL, t, e->index);
		switch_in(X.need[0].thread);
		if (X.answered)
			return false;
	}
	return true;
}

bool execute_replay(const struct graph *g, const struct plan *p, u32 failure)
{
	reread_graph(g, 0);
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

	if (!f->yielded || f->dead)
		return;
	X.target = t->slot;
	X.nneeds = 0;
	X.shown = true;
	switch_in(t->slot); /* and it arrives again at once */
	X.shown = false;
}

u32 execute_recorded(const struct graph *g, u32 e)
{
	return e ? X.record[g->event[e].thread][g->event[e].index] : 0;
}
