/* SPDX-License-Identifier: ISC */
/* failure.c - see failure.h. */
#include "search/failure.h"
#include "machine/access.h"
#include "graph/execute.h"
#include "machine/guided.h"
#include "machine/history.h"
#include "machine/late.h"
#include "search/leak_graph.h"
#include "machine/lock_order.h"
#include "search/minimise.h"
#include "machine/record.h"
#include "search/search.h"
#include "model/object.h"
#include "search/replay.h"
#include "machine/execution.h"
#include "process/pages.h"

#include <string.h>

struct plan *failure_plan(const struct graph *g, void **memory)
{
	static struct plan plan;
	static void *scratch;
	static size_t size;

	if (!plan.item)
		plan.item = pages_need(2 * GRAPH_EVENTS * sizeof *plan.item);
	if (size < linear_memory(g)) {
		size = 2 * linear_memory(g);
		scratch = pages_need(size);
	}
	*memory = scratch;
	return &plan;
}

/* --- who waits ------------------------------------------------------------------------------- */

static enum event_kind kind_of_operation(u8 op)
{
	switch (op) {
	case OBJECT_RDLOCK: return EV_RDLOCK;
	case OBJECT_WRLOCK:
	case OBJECT_ANNOUNCED_WRLOCK: return EV_WRLOCK;
	case OBJECT_SEM_WAIT: return EV_SEM_WAIT;
	case OBJECT_ONCE_ENTER: return EV_ONCE;
	case OBJECT_COND_WAKE: return EV_COND_WAIT;
	case OBJECT_FUTEX_SLEEP: return EV_FUTEX_WAIT;
	default: return EV_LOCK;
	}
}

static enum event_kind wait_kind(const struct label *l)
{
	switch (l->type) {
	case LABEL_SYNC: return kind_of_operation(l->op);
	case LABEL_JOIN: return EV_JOIN;
	case LABEL_LEAVE: return EV_BARRIER_LEAVE;
	default: return EV_READ;
	}
}

/* The thread that keeps l from being carried out, or -1. */
static i32 wait_holder(const struct graph *g, const struct label *l)
{
	u64 state;

	if (l->type == LABEL_JOIN)
		return l->other;
	if (l->type != LABEL_SYNC || l->loc >= g->nplaces)
		return -1;
	state = graph_write_value(g, g->place[l->loc].co_last, l->loc);
	if (l->op == OBJECT_RDLOCK || l->op == OBJECT_WRLOCK || l->op == OBJECT_ANNOUNCED_WRLOCK)
		state &= 0xffff;
	else if (l->op != OBJECT_LOCK)
		return -1;
	return state && state < OBJECT_SOMEBODY ? (i32)state - 1 : -1;
}

/* The place of the last read of a turn of a spin loop. */
static u32 spun_on(const struct graph *g, u32 t)
{
	u32 e = g->thread[t].last;

	while (e && !(g->event[e].flags & E_READ))
		e = g->event[e].po_prev;
	return e ? g->event[e].loc : 0;
}

u32 failure_waits(const struct trust *x, struct wait *w, bool *timed)
{
	const struct graph *g = &x->graph;
	u32 n = 0;

	*timed = false;
	for (u32 t = 0; t < g->nthreads; t++) {
		const struct label *l = &x->cache.node[g->thread[t].node].label;
		u32 loc = l->type == LABEL_SPIN ? spun_on(g, t) : l->loc;

		if (!graph_is_alive(g, t) || l->type == LABEL_END)
			continue;
		*timed |= l->flags & LABEL_TIMED;
		w[n++] = (struct wait){
			.thread = t,
			.name = "",
			.kind = wait_kind(l),
			.object = loc ? g->places->place[loc].addr : 0,
			.holder = wait_holder(g, l),
		};
	}
	return n;
}

/* --- on store buffers ------------------------------------------------------------------------ */

static bool is_same(const struct finding *a, const struct finding *b)
{
	return a->kind == b->kind && a->line == b->line && !strcmp(a->file, b->file) &&
	       a->signal == b->signal;
}

/* M is on the store-buffer machine. Ends in the same finding? */
static bool lead(const struct failure *w, const struct plan *p, const struct finding *f)
{
	const u32 *best;
	bool good;
	u32 n;

	explore_start(&M.explore, &strategy_guide, M.options, M.status->choices, STATUS_CHOICES,
		&M.status->nchoices);
	if (!guided_begin(&w->trust->graph, p, w->how == LEAF_FAIL ? w->thread : 0))
		return false;
	explore_next(&M.explore);
	search_record(true);
	run_execution();
	search_record(false);
	good = guided_end() && M.outcome == OUTCOME_FAIL && is_same(&M.finding, f);
	if (!good)
		return false;
	n = M.explore.nlog;
	best = minimise_schedule(M.explore.log, &n, &M.finding);
	search_follow(best, n, true);
	return M.outcome == OUTCOME_FAIL && !M.explore.diverged && is_same(&M.finding, f);
}

/* Does another thread stand at a failure that has been reported? On store buffers it goes right on to it. */
static bool others_fail(const struct failure *w)
{
	const struct graph *g = &w->trust->graph;

	for (u32 t = 0; t < g->nthreads; t++)
		if (graph_has_thread(g, t) && t != w->thread &&
			w->trust->cache.node[g->thread[t].node].label.type == LABEL_FAIL)
			return true;
	return false;
}

static bool record_on_buffers(const struct failure *w, struct status_finding *f)
{
	struct explore saved = M.explore;
	u32 bounds = M.bounds;
	void *memory;
	struct plan *p = failure_plan(&w->trust->graph, &memory);
	bool good;

	if (!linear_plan(&w->trust->graph, M.model, w->thread, memory, p, NULL)) {
		coverage_note("bug: an execution graph of %s has no schedule", model_name(M.model));
		return false;
	}
	execute_finish();
	access_follow_graph(false);
	M.bounds = 0;
	good = lead(w, p, &f->finding);
	if (good) {
		f->finding = M.finding;
		replay_write(f);
	} else if (M.bounds & BOUND_BUFFER) {
		coverage_note("a failing execution needs buffers of more than %u stores "
				 "(--buffer-size): it is reported as a graph", M.buffer_size);
	} else if (M.bounds & BOUND_STEPS) {
		coverage_note("on store buffers a thread that spins goes on for ever, as its turns "
				 "write to its own memory: it is reported as a graph");
	} else if (!others_fail(w)) {
		coverage_note("bug: a failing execution graph fails otherwise on store buffers "
				 "(%s)", M.outcome == OUTCOME_FAIL ? M.finding.message : "it ends");
	}
	access_follow_graph(true);
	M.fine = false;
	M.outcome = OUTCOME_EXIT;
	M.explore = saved;
	M.bounds = bounds;
	return good;
}

/* --- as a graph ------------------------------------------------------------------------------ */

/* Which choice each event is, 1 first; both halves of an RMW are one; 0: not in the plan. */
static u16 number[GRAPH_EVENTS + 1];

static void number_events(const struct graph *g, const struct plan *p)
{
	memset(number, 0, (g->n + 1) * sizeof *number);
	for (u32 i = 0; i < p->n; i++) {
		const struct gevent *e = &g->event[p->item[i]];

		number[p->item[i]] = (u16)(i + 1);
		if (e->flags & E_READ && e->flags & E_EXCL && e->po_next)
			number[e->po_next] = (u16)(i + 1);
	}
}

/* At which step event e has been recorded; 0: it has not. */
static u32 step_of(const struct graph *g, u32 e)
{
	return number[e] ? execute_recorded(g, e) : 0;
}

static u32 chosen(const struct graph *g, u32 e)
{
	const struct gevent *x = &g->event[e];
	u32 w = x->co_prev;

	if (x->flags & E_READ)
		return number[x->rf];
	if (!(x->flags & E_WRITE))
		return x->type == LABEL_CHOOSE ? (u32)x->value : 0;
	while (w && (!number[w] || number[w] > number[e]))
		w = g->event[w].co_prev;
	return number[w];
}

static void put_choices(const struct graph *g, const struct plan *p)
{
	for (u32 i = 0; i < p->n; i++) {
		u32 e = p->item[i], taken = chosen(g, e);

		record.choice[i] = (struct trace_choice){
			.n = taken + 1,
			.taken = taken,
			.why = g->event[e].flags & E_RARE ? WHY_GRAPH_RARE : WHY_GRAPH,
			.thread = g->event[e].thread,
		};
	}
	record.nchoices = p->n;
}

/* For each write: the one before it in co. */
static void note_co(const struct graph *g, const struct plan *p)
{
	for (u32 i = 0; i < p->n; i++) {
		u32 e = p->item[i], w = e;

		if (g->event[e].flags & E_READ && g->event[e].flags & E_EXCL)
			w = g->event[e].po_next;
		if (!w || !(g->event[w].flags & E_WRITE) || g->event[w].flags & E_SYNC || !step_of(g, e))
			continue;
		do
			w = g->event[w].co_prev;
		while (w && !step_of(g, w));
		record.event[step_of(g, e) - 1].co = step_of(g, w);
	}
}

/* For each access: the newest write that was there already, though in co it comes later. */
static void note_missed(const struct graph *g, const struct plan *p)
{
	for (u32 i = 0; i < p->n; i++) {
		const struct gevent *x = &g->event[p->item[i]];
		u32 step = step_of(g, p->item[i]), w, missed = 0;

		if (!(x->flags & (E_READ | E_WRITE)) || x->flags & E_SYNC || !step)
			continue;
		if (x->flags & E_WRITE)
			w = x->co_next;
		else
			w = x->rf ? g->event[x->rf].co_next : g->place[x->loc].co_first;
		for (; w; w = g->event[w].co_next) {
			if (step_of(g, w) && step_of(g, w) < step)
				missed = step_of(g, w);
		}
		record.event[step - 1].missed = missed;
	}
}

static bool is_access_of(u32 step, u32 slot)
{
	return step && step <= record.nevents && kind_is_access(record.event[step - 1].kind) &&
	       M.created[record.event[step - 1].thread] == slot;
}

/* The next event of the thread that is about a thread or an object, from step on in that direction. */
static u32 operation_step(u32 step, u32 slot, bool forward)
{
	for (; step && step <= record.nevents; step += forward ? 1u : UINT32_MAX) {
		const struct event *e = &record.event[step - 1];

		if (M.created[e->thread] == slot && (e->kind > EV_DRAIN || kind_is_access(e->kind)))
			return e->kind > EV_DRAIN ? step : 0;
	}
	return 0;
}

/* At which step e has been: what is no access is recorded behind where it was passed, but for the end of a thread. */
static u32 cycle_step(const struct graph *g, u32 e)
{
	const struct gevent *x = &g->event[e];
	u32 slot = x->thread, step;

	if (x->flags & E_WRITE && x->flags & E_EXCL)
		e = x->po_prev;
	step = step_of(g, e);
	if (!number[e])
		return 0;
	if (x->type == LABEL_END)
		return operation_step(step, slot, false);
	if (x->flags & E_SYNC || !(x->flags & (E_READ | E_WRITE | E_FENCE)))
		return operation_step(step + 1, slot, true);
	return is_access_of(step, slot) ? step : 0;
}

static bool is_within(const struct edge *e)
{
	return record.event[e->from - 1].thread == record.event[e->to - 1].thread && e->from < e->to;
}

/* What one thread does one after the other, if only with a lock, is one edge of po. */
static void join_po(struct cycle *c)
{
	u32 n = 0;

	for (u32 i = 0; i < c->n; i++) {
		if (c->edge[i].relation == REL_RF && is_within(&c->edge[i]) &&
			!kind_is_access(record.event[c->edge[i].from - 1].kind))
			c->edge[i].relation = REL_PO;
		if (n && c->edge[i].relation == REL_PO && c->edge[n - 1].relation == REL_PO &&
			is_within(&c->edge[i]) && is_within(&c->edge[n - 1]))
			c->edge[n - 1].to = c->edge[i].to;
		else
			c->edge[n++] = c->edge[i];
	}
	c->n = n;
}

/* A cycle of events of g as one of steps; none if it goes through what is not recorded. */
static void cycle_in_steps(const struct graph *g, struct cycle *c)
{
	for (u32 i = 0; i < c->n; i++) {
		struct edge *e = &c->edge[i];
		u32 from = cycle_step(g, e->from), to = cycle_step(g, e->to);

		if (!from || !to) {
			c->n = 0;
			return;
		}
		e->from = from;
		e->to = to;
	}
	join_po(c);
}

/* The waits of threads that stand, with their numbers, names and stacks. */
static u32 waits_now(const struct failure *w, struct wait *waits)
{
	bool timed;
	u32 n = failure_waits(w->trust, waits, &timed);

	for (u32 i = 0; i < n; i++) {
		const struct thread *t = &M.thread[waits[i].thread];

		waits[i].thread = t->number;
		waits[i].name = t->name;
		waits[i].stack = t->stack;
		if (waits[i].holder >= 0)
			waits[i].holder = M.thread[waits[i].holder].number;
	}
	return n;
}

/* Run along the plan, and all to where they stand that matter. */
static bool run_recorded(const struct failure *w, const struct plan *p)
{
	const struct graph *g = &w->trust->graph;
	u32 racing = failure_is_pair(w) ? p->item[p->n - 1] : 0;
	bool good = execute_replay(g, p, racing);

	for (u32 t = 0; t < g->nthreads && good && w->how == LEAF_STUCK; t++)
		good = !graph_is_alive(g, t) || execute_bring(t);
	return good && (w->how != LEAF_FAIL || execute_bring(w->thread));
}

/* The threads have passed all of a complete execution: what is wrong with it? */
static bool ends_badly(const struct failure *w, struct finding *f)
{
	const struct graph *g = &w->trust->graph;

	if (f->kind == FINDING_LEAK || f->kind == FINDING_THREADS)
		return leak_graph_record(g, f);
	if (f->kind != FINDING_LINEARIZABILITY)
		return true;
	for (u32 t = 0; t < g->nthreads; t++)
		if (graph_is_alive(g, t) && !execute_bring(t))
			return false;
	if (!history_fails_graph(g, &w->trust->cache, f))
		return false;
	history_record(f);
	return true;
}

bool failure_record_graph(const struct failure *w, const struct plan *p, const struct cycle *c,
	bool sc, struct status_finding *f)
{
	static struct wait waits[THREADS_MAX];
	const struct graph *g = &w->trust->graph;
	struct cycle steps = {.n = 0};
	struct replay_facts facts = {.waits = waits, .cycle = &steps};
	bool good;

	execute_finish(); /* its end must not be that of what is captured */
	search_record(true);
	good = run_recorded(w, p) && (w->how != LEAF_COMPLETE || ends_badly(w, &f->finding));
	if (good && f->finding.kind == FINDING_LOCK_ORDER) {
		facts.nwaits = lock_order_waits(waits);
		good = facts.nwaits;
	}
	search_record(false);
	if (good && w->how == LEAF_STUCK)
		stuck_show(waits, waits_now(w, waits), execute_show);
	execute_finish();
	if (!good)
		return false;
	number_events(g, p);
	put_choices(g, p);
	note_missed(g, p);
	note_co(g, p);
	if (!sc)
		steps = *c;
	cycle_in_steps(g, &steps);
	/* Whether a race is one depends on more than the order: it may need none and yet not be one
	 * under sc. */
	f->reorder = !sc ? 1 : failure_is_pair(w) ? -1 : 0;
	if (w->how == LEAF_FAIL) {
		f->finding = M.finding;
	} else if (w->how == LEAF_STUCK) {
		facts.nwaits = waits_now(w, waits);
		stuck_describe(waits, facts.nwaits, &f->finding);
	} else if (failure_is_pair(w)) {
		f->finding.thread = M.thread[w->thread].number;
		f->finding.step = step_of(g, g->thread[w->thread].last);
		f->finding.other = failure_is_value(w) ? 0 : step_of(g, w->other);
	}
	replay_write_facts(f, &facts);
	return true;
}

/* A race is over with its second access, whatever the other threads may still have done. */
static void cut_off(const struct failure *w, struct plan *p)
{
	const struct graph *g = &w->trust->graph;
	u32 last = g->thread[w->thread].last, other = w->other, n = 0;
	bool met = false;

	if (g->event[last].flags & E_WRITE && g->event[last].flags & E_EXCL)
		last = g->event[last].po_prev;
	if (g->event[other].flags & E_WRITE && g->event[other].flags & E_EXCL)
		other = g->event[other].po_prev;
	while (n < p->n && p->item[n] != last)
		met |= p->item[n++] == other;
	met |= other == last;
	if (met && n < p->n)
		p->n = n + 1;
}

/* Record the graph, or one that fails in the same way and is easier to read. */
static void record_as_graph(const struct failure *found, struct status_finding *f)
{
	static u32 items[2 * GRAPH_EVENTS];
	struct failure w = *found;
	const struct graph *g = &w.trust->graph;
	struct cycle cycle;
	void *memory;
	struct plan *p = failure_plan(g, &memory), another;
	bool sc = linear_plan(g, MODEL_SC, w.thread, memory, p, &cycle);

	if (!sc)
		linear_causal(g, w.thread, memory, p);
	if (failure_is_pair(&w))
		cut_off(&w, p);
	/* First as it is: a candidate may show that memory is shared which was not known to be, and then nothing
	 * that was found before can be followed any more. */
	if (!failure_record_graph(&w, p, &cycle, sc, f)) {
		coverage_note("bug: the program did not follow a failing execution graph again: %s",
			execute_words());
		return;
	}
	if (!minimise_graph(&w, p, &f->finding))
		return;
	failure_plan(g, &memory); /* it may have more events */
	another = (struct plan){.item = items}; /* the order of p is the better one */
	sc = linear_plan(g, MODEL_SC, w.thread, memory, &another, &cycle);
	failure_record_graph(&w, p, &cycle, sc, f);
	minimise_graph_end(&w);
}

void failure_record(const struct failure *w, struct status_finding *f)
{
	if (w->how != LEAF_STUCK)
		trust_prefer_sc(w->trust);
	/* On buffers announced plain stores are not buffered: there it may be impossible. */
	if (!failure_is_pair(w) && M.model <= MODEL_PSO && !late_used &&
		f->finding.kind != FINDING_PORTABILITY && record_on_buffers(w, f))
		return;
	record_as_graph(w, f);
}
