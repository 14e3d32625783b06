/* SPDX-License-Identifier: ISC */
/*
 * minimise_graph.c - candidates that are execution graphs (minimise.h).
 *
 * Here a schedule is the order in which events are added. A read reads the newest write, and a
 * write becomes the newest, unless an answer says otherwise: these are the relaxed events of models
 * without store buffers. An event has the number of its thread and that of the thread's steps up to
 * it; both halves of an RMW are one. The explorer's graph is saved meanwhile, and its cache stays.
 */
#include "failure/minimise.h"
#include "graph/execute.h"
#include "graph/sharing.h"
#include "failure/failure.h"
#include "history/history.h"
#include "failure/flag_graph.h"
#include "failure/leak_graph.h"
#include "failure/search_state.h"
#include "failure/stack_graph.h"
#include "machine/observer/lock_order.h"
#include "machine/record/record.h"
#include "explore/minimise.h"
#include "process/pages.h"

#include <string.h>

#define MAX_EVENTS 1000000 /* of all candidates together */

static struct {
	struct trust *x;
	struct failure w;	/* the failure to keep, and that of the candidate */
	const struct finding *wanted;
	u32 site[2];		/* of a pair: their places, the lower one first */
	u16 *at[GRAPH_THREADS];	/* [steps + 1]: the event */
	u32 *step;		/* [GRAPH_EVENTS + 1]: of an event in its thread */
	u32 steps[GRAPH_THREADS];
	u32 *original, noriginal; /* the order before */
	u32 *order, n;		/* events in the order in which they were added */
	u32 current;		/* index of the current item */
	void *saved;
	size_t saved_size;
	bool rf;
	enum execute_stop stopped;
	struct search_state search;
} G;

static void need_steps(const struct graph *g)
{
	if (!G.step) {
		G.step = pages_need((GRAPH_EVENTS + 1) * sizeof *G.step);
		G.original = pages_need(2 * GRAPH_EVENTS * sizeof *G.original);
		G.order = pages_need((GRAPH_EVENTS + 1) * sizeof *G.order);
		for (u32 t = 0; t < GRAPH_THREADS; t++)
			G.at[t] = pages_need((GRAPH_EVENTS + 1) * sizeof *G.at[t]);
	}
	if (G.saved_size < graph_size(g)) {
		G.saved_size = 2 * graph_size(g);
		G.saved = pages_need(G.saved_size);
	}
}

/* --- from a graph to a schedule -------------------------------------------------------------- */

static u32 access_write_event(const struct graph *g, u32 e)
{
	const struct gevent *x = &g->event[e];

	return x->flags & E_WRITE ? e : x->flags & E_READ && x->flags & E_EXCL ? x->po_next : 0;
}

static void note_graph_step(const struct graph *g, u32 e)
{
	u32 t = g->event[e].thread, w = access_write_event(g, e);

	G.step[e] = ++G.steps[t];
	if (w)
		G.step[w] = G.step[e];
	G.at[t][G.steps[t]] = (u16)e;
}

/* The newest write so far that comes after e in co, or after e's source; 0: none. */
static u32 newer(const struct graph *g, u32 e)
{
	const struct gevent *x = &g->event[e];
	u32 w = x->flags & E_WRITE ? x->co_next
	      : x->rf		   ? g->event[x->rf].co_next
				   : g->place[x->loc].co_first, found = 0;

	for (; w; w = g->event[w].co_next)
		if (G.step[w] && w != access_write_event(g, e))
			found = w;
	return found;
}

static bool put_answer(
	struct schedule *s, const struct graph *g, u32 e, u8 kind, u32 from, u32 taken)
{
	const struct gevent *x = &g->event[e];

	if (s->nanswers == SCHEDULE_ITEMS)
		return false;
	s->answer[s->nanswers++] = (struct schedule_answer){.slot = x->thread, .step = G.step[e],
		.kind = kind, .taken = taken, .from_slot = from ? g->event[from].thread : 0,
		.from_step = from ? G.step[from] : 0};
	return true;
}

/* The last write before w in co that has been added. */
static u32 older_write(const struct graph *g, u32 w)
{
	do
		w = g->event[w].co_prev;
	while (w && !G.step[w]);
	return w;
}

static bool extract_event(struct schedule *s, struct schedule_cost *c, const struct graph *g, u32 e)
{
	const struct gevent *x = &g->event[e];
	bool stale = x->flags & (E_READ | E_WRITE) && newer(g, e);

	note_graph_step(g, e);
	c->steps++;
	if (s->n && s->item[s->n - 1].slot != x->thread)
		c->switches++;
	if (!schedule_put(s, (struct schedule_item){.slot = x->thread, .upto = G.step[e]}))
		return false;
	if (x->type == LABEL_CHOOSE)
		return put_answer(s, g, e, ANSWER_NUMBER, 0, (u32)x->value);
	c->rare += !!(x->flags & E_RARE);
	if (x->flags & E_RARE && !put_answer(s, g, e, ANSWER_RARE, 0, 1))
		return false;
	if (!stale)
		return true;
	c->relaxed++;
	return put_answer(s, g, e, ANSWER_STALE, x->flags & E_READ ? x->rf : older_write(g, e), 0);
}

/* A schedule of g, whose events were added in this order. */
static bool extract_order(
	struct schedule *s, struct schedule_cost *c, const struct graph *g, const u32 *order, u32 n)
{
	*c = (struct schedule_cost){.rare = 0};
	s->n = s->nanswers = 0;
	memset(G.step, 0, (g->n + 1) * sizeof *G.step);
	memset(G.steps, 0, sizeof G.steps);
	for (u32 i = 0; i < n; i++)
		if (!extract_event(s, c, g, order[i]))
			return false;
	s->last = n ? g->event[order[n - 1]].thread : 0;
	return true;
}

/* --- from a schedule to a graph -------------------------------------------------------------- */

static const struct schedule_answer *answer_for(
	const struct schedule *s, u32 slot, u32 step, u8 kind)
{
	for (u32 i = 0; i < s->nanswers; i++)
		if (s->answer[i].slot == slot && s->answer[i].step == step &&
			s->answer[i].kind == kind)
			return &s->answer[i];
	return NULL;
}

static u32 named_write(const struct schedule_answer *a)
{
	const struct graph *g = &G.x->graph;

	return !a->from_step || a->from_step > G.steps[a->from_slot]
		       ? 0 : access_write_event(g, G.at[a->from_slot][a->from_step]);
}

/* The end of a thread is an event when it is joined. */
static bool may_end(u32 slot)
{
	const struct label *l = trust_next(G.x, slot);

	return slot && l && l->type == LABEL_END && !(l->flags & LABEL_EXIT) &&
	       G.x->graph.thread[slot].create && !G.x->graph.thread[slot].ended;
}

static bool may_move_thread(u32 slot)
{
	const struct label *l;

	if (trust_ready(G.x, slot) || (slot < G.x->graph.nthreads && may_end(slot)))
		return true;
	if (slot >= G.x->graph.nthreads || !graph_has_thread(&G.x->graph, slot) ||
		G.x->graph.thread[slot].ended)
		return false;
	l = trust_next(G.x, slot);
	return l && l->type == LABEL_FAIL;
}

enum moved { MOVED, FAILED, IMPOSSIBLE };

/* Is it the wanted pair? */
static bool is_wanted_pair(u32 e, u32 other, enum leaf how)
{
	u32 a = label_place(trust_label(G.x, e)), b = label_place(trust_label(G.x, other));

	return how == G.w.how && G.site[0] == (a < b ? a : b) && G.site[1] == (a < b ? b : a) &&
	       !label_apart(trust_label(G.x, e), trust_label(G.x, other));
}

/* Judge the new events, from `first` on. */
static enum moved judge_new(u32 first)
{
	for (u32 e = first; e <= G.x->graph.n; e++) {
		enum leaf how;
		u32 other = trust_fault(G.x, e, &how);

		if (!other)
			continue;
		if (!is_wanted_pair(e, other, how))
			return IMPOSSIBLE;
		G.w.thread = G.x->graph.event[e].thread;
		G.w.other = other;
		return FAILED;
	}
	return MOVED;
}

static enum moved move_thread(const struct schedule *s, u32 slot)
{
	struct graph *g = &G.x->graph;
	const struct label *l = trust_next(G.x, slot);
	u32 step = G.steps[slot] + 1, first = g->n + 1, choice = 0;
	const struct schedule_answer *stale = answer_for(s, slot, step, ANSWER_STALE),
				   *number = answer_for(s, slot, step, ANSWER_NUMBER);

	if (!l)
		return IMPOSSIBLE;
	if (l->type == LABEL_FAIL) {
		G.w.thread = slot;
		return G.w.how == LEAF_FAIL && minimise_is_same(execute_finding(l), G.wanted)
			       ? FAILED : IMPOSSIBLE;
	}
	if (l->type == LABEL_CHOOSE)
		choice = number && number->taken < l->value ? number->taken : 0;
	else if (stale)
		choice = named_write(stale);
	else if (l->loc && l->loc < g->nplaces)
		choice = g->place[l->loc].co_last;
	if (!trust_add_consistent(G.x, slot, choice,
		    l->type == LABEL_CAS && answer_for(s, slot, step, ANSWER_RARE)))
		return IMPOSSIBLE;
	G.order[G.n++] = first;
	note_graph_step(g, first);
	return judge_new(first);
}

static bool is_open(const struct schedule *s, u32 k)
{
	return G.steps[s->item[k].slot] < s->item[k].upto;
}

/* The next thread: the one of the schedule, else the failing one, else any. GRAPH_THREADS: none is
 * enabled. */
static u32 choose_slot(const struct schedule *s)
{
	const struct graph *g = &G.x->graph;

	if (G.current < s->n && is_open(s, G.current) && may_move_thread(s->item[G.current].slot))
		return s->item[G.current].slot;
	for (u32 k = 0; k < s->n; k++) {
		if (!is_open(s, k) || !may_move_thread(s->item[k].slot))
			continue;
		G.current = k;
		return s->item[k].slot;
	}
	if (trust_ready(G.x, s->last))
		return s->last;
	for (u32 t = 0; t < g->nthreads; t++)
		if (trust_ready(G.x, t))
			return t;
	/* A thread fails, or joins one that only has to end. */
	for (u32 t = 0; t < g->nthreads; t++)
		if (may_move_thread(t))
			return t;
	return GRAPH_THREADS;
}

static bool is_wanted_wait(void)
{
	static struct wait waits[GRAPH_THREADS];
	struct finding f = {.kind = FINDING_DEADLOCK};
	bool timed;
	u32 n = failure_waits(G.x, waits, &timed);

	stuck_describe(waits, n, &f);
	return !timed && f.kind == G.wanted->kind && !strcmp(f.message, G.wanted->message) &&
	       (!M.options->call_stacks || f.site == G.wanted->site);
}

static bool is_wanted_end(void)
{
	struct finding f;
	u32 n = G.x->graph.n;
	struct stack_use use;
	struct raised raised;
	bool fails = false;

	memset(&f, 0, sizeof f);
	switch (G.wanted->kind) {
	case FINDING_LINEARIZABILITY:
		fails = history_fails_graph(&G.x->graph, &G.x->cache, &f);
		break;
	case FINDING_LOCK_ORDER:
		fails = lock_order_fails_graph(&G.x->graph, &G.x->cache, &f);
		break;
	case FINDING_STACK:
		fails = stack_fails_graph(G.x, &f, &use);
		break;
	case FINDING_FLAG:
		fails = flag_graph_has(G.x, G.wanted, &raised);
		f = *G.wanted;
		break;
	case FINDING_LEAK:
	case FINDING_THREADS:
		fails = leak_graph_fails(G.x, &f);
		break;
	default: break;
	}
	if (fails && minimise_is_same(&f, G.wanted)) {
		for (u32 e = n + 1; e <= G.x->graph.n; e++) { /* joins and ends that were missing */
			G.order[G.n++] = e;
			note_graph_step(&G.x->graph, e);
		}
		return true;
	}
	while (G.x->graph.n > n)
		graph_pop(&G.x->graph);
	return false;
}

/* No thread is enabled. Is that the finding to keep? */
static bool is_wanted_leaf(void)
{
	enum leaf how = trust_leaf(G.x);

	if (how != G.w.how)
		return false;
	return how == LEAF_STUCK ? is_wanted_wait() : how == LEAF_COMPLETE && is_wanted_end();
}

/* Build the candidate; true: it has the finding. */
static bool build_candidate(const struct schedule *s, u32 limit)
{
	enum moved m = MOVED;
	u32 slot;

	trust_empty(G.x);
	memset(G.steps, 0, sizeof G.steps);
	G.n = G.current = 0;
	while (m == MOVED && G.x->answer == ANSWER_LABEL && G.n < limit) {
		slot = choose_slot(s);
		if (G.x->answer != ANSWER_LABEL)
			return false;
		if (slot == GRAPH_THREADS)
			return is_wanted_leaf();
		m = move_thread(s, slot);
	}
	return m == FAILED && G.x->answer == ANSWER_LABEL;
}

/* --- candidates ------------------------------------------------------------------------------ */

static u32 attempt_limit(u32 n)
{
	u32 limit = 4 * n + 100;

	return limit < GRAPH_EVENTS / 2 - GRAPH_THREADS ? limit : GRAPH_EVENTS / 2 - GRAPH_THREADS;
}

static enum tried try_graph(struct minimise *m, const struct schedule *s, struct schedule *got,
	struct schedule_cost *cost)
{
	bool fails;

	if (!minimise_may_go_on() || G.x->cache.n + 2 * GRAPH_THREADS + 1024 > G.x->cache.max)
		return TRIED_STOP;
	fails = build_candidate(s, attempt_limit(m->cost.steps));
	m->steps += G.n + 1;
	if (G.x->answer == ANSWER_RESTART) { /* a thread's memory is shared there, too */
		sharing_restore();
		execute_resume(G.stopped);
		return TRIED_OTHER;
	}
	if (G.x->answer != ANSWER_LABEL)
		return TRIED_STOP;
	return fails && extract_order(got, cost, &G.x->graph, G.order, G.n) ? TRIED_SAME
									    : TRIED_OTHER;
}

static void begin_minimising(const struct failure *w, const struct finding *f)
{
	const struct graph *g = &w->trust->graph;

	G.x = w->trust;
	G.w = *w;
	G.wanted = f;
	need_steps(g);
	graph_save(g, G.saved);
	search_push(&G.search);
	sharing_save();
	G.stopped = execute_stopped();
	G.rf = G.x->rf;
	G.x->rf = false;
	if (failure_is_pair(w)) {
		u32 a = label_place(trust_label(G.x, g->thread[w->thread].last)),
		    b = label_place(trust_label(G.x, w->other));

		G.site[0] = a < b ? a : b;
		G.site[1] = a < b ? b : a;
	}
}

void minimise_graph_end(struct failure *w)
{
	sharing_restore();
	graph_restore(&G.x->graph, G.saved);
	G.x->rf = G.rf;
	G.x->halves = true;
	G.x->answer = ANSWER_LABEL;
	execute_resume(G.stopped);
	search_pop_all(&G.search);
}

static bool allowed = true;

void minimise_graph_allow(bool now)
{
	allowed = now;
}

bool minimise_graph(struct failure *w, struct plan *p, const struct finding *f)
{
	static struct minimise m = {.try = try_graph, .max_steps = MAX_EVENTS};
	static struct finding wanted;
	struct schedule_cost was;

	if (!allowed || w->trust->places->mixed || graph_has_time(&w->trust->graph) ||
		!minimise_begin(f) || f->kind == FINDING_PORTABILITY)
		return false;
	wanted = *f;
	minimise_need(&m);
	begin_minimising(w, &wanted);
	/* The search for leaks uses the plan, too. */
	memcpy(G.original, p->item, p->n * sizeof *p->item);
	G.noriginal = p->n;
	if (extract_order(&m.best, &m.cost, &G.x->graph, p->item, p->n)) {
		was = m.cost;
		minimise_run(&m);
		sharing_restore(); /* the recording has the candidate's events */
		execute_resume(G.stopped);
		if (schedule_cheaper(&m.cost, &was) &&
			build_candidate(&m.best, attempt_limit(m.cost.steps))) {
			memcpy(p->item, G.order, G.n * sizeof *G.order);
			p->n = G.n;
			*w = G.w;
			minimise_tell(&was, &m.cost, m.tries, m.over);
			return true;
		}
	}
	minimise_graph_end(w);
	memcpy(p->item, G.original, G.noriginal * sizeof *p->item);
	p->n = G.noriginal;
	return false;
}
