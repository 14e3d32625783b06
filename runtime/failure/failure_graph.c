/* SPDX-License-Identifier: ISC */
/*
 * failure_graph.c - a failing execution graph, recorded as a graph.
 *
 * The program runs along a plan of the graph's events, recorded. The graph supplies what a schedule
 * would imply: each event's choice is its source, or its predecessor in co; each access has the
 * newer write that it missed; the cycle consists of steps.
 */
#include "graph/execute.h"
#include "machine/access/access.h"
#include "history/history.h"
#include "holes/holes.h"
#include "machine/observer/lock_order.h"
#include "machine/record/record.h"
#include "failure/axiom_graph.h"
#include "failure/failure.h"
#include "failure/flag_graph.h"
#include "failure/leak_graph.h"
#include "failure/repeat.h"
#include "failure/replay.h"
#include "failure/stack_graph.h"
#include "model/hardware/hardware.h"
#include "model/pieces.h"

#include <string.h>

/* The choice of each event, 1 first: one for both halves of an RMW, one for each piece of an
 * access; 0: not in the plan. */
static u16 number[GRAPH_EVENTS + 1];

static void number_events(const struct graph *g, const struct plan *p)
{
	u16 n = 0;

	memset(number, 0, (g->n + 1) * sizeof *number);
	for (u32 i = 0; i < p->n; i++) {
		u32 e = p->item[i], end = graph_after_half(g, e);

		for (; e != end; e = g->event[e].po_next) {
			u32 w = g->event[e].flags & E_READ ? graph_write_of(g, e) : 0;

			number[e] = ++n;
			if (w)
				number[w] = n;
		}
	}
}

/* The step at which event e was recorded; 0: none. */
static u32 recorded_step(const struct graph *g, u32 e)
{
	return number[e] ? execute_recorded(g, e) : 0;
}

static u32 recorded_choice(const struct graph *g, u32 e)
{
	const struct gevent *x = &g->event[e];
	u32 w = x->co_prev;

	if (x->flags & E_READ)
		return number[holes_source(g, e)];
	if (!(x->flags & E_WRITE))
		return x->type == LABEL_CHOOSE ? (u32)x->value : 0;
	while (w && (!number[w] || number[w] > number[e]))
		w = g->event[w].co_prev;
	return number[w];
}

static enum trace_why why_chosen(const struct graph *g, u32 e)
{
	return holes_source(g, e) != g->event[e].rf ? WHY_GRAPH_EARLY
	       : g->event[e].flags & E_RARE || g->event[e].type == LABEL_TIME
		       ? WHY_GRAPH_RARE
		       : WHY_GRAPH;
}

static void put_choices(const struct graph *g, const struct plan *p)
{
	record.nchoices = 0;
	for (u32 i = 0; i < p->n; i++) {
		u32 e = p->item[i], end = graph_after_half(g, e);

		for (; e != end; e = g->event[e].po_next) {
			u32 taken = recorded_choice(g, e);

			record.choice[record.nchoices++] = (struct trace_choice){
				.n = taken + 1,
				.taken = taken,
				.why = why_chosen(g, e),
				.thread = g->event[e].thread,
				.value = why_chosen(g, e) == WHY_GRAPH_EARLY ? g->event[e].value
									     : 0,
			};
		}
	}
}

/* The write before w in co that has been recorded: its step. */
static u32 co_before(const struct graph *g, u32 w)
{
	do
		w = g->event[w].co_prev;
	while (w && !recorded_step(g, w));
	return recorded_step(g, w);
}

/* For each write: the one before it in co; of several locations, the last of these. */
static void note_co(const struct graph *g, const struct plan *p)
{
	for (u32 i = 0; i < p->n; i++) {
		u32 e = p->item[i], end = graph_after_half(g, e), step = recorded_step(g, e),
			co = 0;
		bool writes = false;

		for (; e != end; e = g->event[e].po_next) {
			u32 w = g->event[e].flags & E_READ ? graph_write_of(g, e) : e, before;

			if (!w || !(g->event[w].flags & E_WRITE) || g->event[w].flags & E_SYNC)
				continue;
			writes = true;
			before = co_before(g, w);
			co = before > co ? before : co;
		}
		if (step && writes)
			record.event[step - 1].co = co;
	}
}

/* The newest write recorded before the step that comes later in co than e's source, or than e. */
static u32 missed_by(const struct graph *g, u32 e, u32 step)
{
	const struct gevent *x = &g->event[e];
	u32 missed = 0, w = holes_source(g, e) != x->rf ? 0
			  : x->flags & E_WRITE ? x->co_next
			  : x->rf		? g->event[x->rf].co_next
						: g->place[x->loc].co_first;

	for (; w; w = g->event[w].co_next) {
		if (recorded_step(g, w) && recorded_step(g, w) < step)
			missed = recorded_step(g, w);
	}
	return missed;
}

/* The sources that come later. */
static void note_early(const struct graph *g)
{
	for (u32 e = 1; e <= g->n && g->holes; e++)
		if (holes_source(g, e) != g->event[e].rf && recorded_step(g, e))
			record.event[recorded_step(g, e) - 1].from =
				recorded_step(g, holes_source(g, e));
}

/* Note that write for each access. */
static void note_missed(const struct graph *g, const struct plan *p)
{
	for (u32 i = 0; i < p->n; i++) {
		u32 e = p->item[i], end = graph_after_half(g, e), step = recorded_step(g, e),
			missed = 0;
		u16 flags = g->event[e].flags;

		for (; e != end && step; e = g->event[e].po_next) {
			u32 m = missed_by(g, e, step);

			missed = m > missed ? m : missed;
		}
		if (flags & (E_READ | E_WRITE) && !(flags & E_SYNC) && step)
			record.event[step - 1].missed = missed;
	}
}

static bool is_access_of(u32 step, u32 slot)
{
	return step && step <= record.nevents && kind_is_access(record.event[step - 1].kind) &&
	       M.created[record.event[step - 1].thread] == slot;
}

/* The thread's next event on a thread or an object, from `step` on in that direction. */
static u32 operation_step(u32 step, u32 slot, bool forward)
{
	for (; step && step <= record.nevents; step += forward ? 1u : UINT32_MAX) {
		const struct event *e = &record.event[step - 1];

		if (M.created[e->thread] == slot && (e->kind > EV_DRAIN || kind_is_access(e->kind)))
			return e->kind > EV_DRAIN ? step : 0;
	}
	return 0;
}

/* The step of e: events other than accesses are recorded after they are passed, except for the end
 * of a thread. */
static u32 cycle_step(const struct graph *g, u32 e)
{
	const struct gevent *x = &g->event[e];
	u32 slot = x->thread, step;

	if (x->flags & E_WRITE && x->flags & E_EXCL)
		e = graph_read_of(g, e);
	step = recorded_step(g, e);
	if (!number[e])
		return 0;
	if (x->type == LABEL_END)
		return operation_step(step, slot, false);
	if (x->flags & E_SYNC || !(x->flags & (E_READ | E_WRITE | E_FENCE)))
		return operation_step(step + 1, slot, true);
	return is_access_of(step, slot) ? step : 0;
}

static bool is_edge_within(const struct edge *e)
{
	return record.event[e->from - 1].thread == record.event[e->to - 1].thread &&
	       e->from < e->to;
}

/* Merge consecutive edges within a thread, even if one is an order of lock operations, into an edge
 * of po. */
static void join_po(struct cycle *c)
{
	u32 n = 0;

	for (u32 i = 0; i < c->n; i++) {
		if (c->edge[i].relation == REL_RF && is_edge_within(&c->edge[i]) &&
			!kind_is_access(record.event[c->edge[i].from - 1].kind))
			c->edge[i] =
				(struct edge){c->edge[i].from, c->edge[i].to, REL_PO, KEPT_ORDER};
		if (n && c->edge[i].relation == REL_PO && c->edge[n - 1].relation == REL_PO &&
			is_edge_within(&c->edge[i]) && is_edge_within(&c->edge[n - 1])) {
			c->edge[n - 1].to = c->edge[i].to;
			c->edge[n - 1].kept =
				c->edge[n - 1].kept && c->edge[i].kept ? KEPT_ORDER : KEPT_NOT;
		} else
			c->edge[n++] = c->edge[i];
	}
	c->n = n;
}

/* The last event of g with this step in the cycle; 0: none. */
static u16 event_of_step(const struct graph *g, u32 step)
{
	u16 found = 0;

	for (u32 e = 1; e <= g->n; e++)
		if (cycle_step(g, e) == step &&
			(!found || g->event[e].index > g->event[found].index))
			found = (u16)e;
	return found;
}

/* The axiom of a model in a file, with its events as steps; without them if some are not
 * recorded. */
static void find_axiom(struct graph *g, struct cycle *c, struct axiom_found *a)
{
	u16 event[CYCLE_MAX];

	for (u32 i = 0; i < c->n; i++)
		event[i] = event_of_step(g, c->edge[i].from);
	axiom_graph_find(g, c, event, a);
	for (u32 i = 0; i < a->n; i++) {
		struct axiom_link *l = &a->link[i];
		u32 from = cycle_step(g, l->from), to = cycle_step(g, l->to);

		if ((l->from && !from) || (l->to && !to))
			a->n = 0;
		l->from = from;
		l->to = to;
	}
}

/* A cycle of events of g as one of steps; none if it has events that are not recorded. */
static void cycle_in_steps(struct graph *g, struct cycle *c)
{
	for (u32 i = 0; i < c->n; i++) {
		struct edge *e = &c->edge[i];
		u32 from = cycle_step(g, e->from), to = cycle_step(g, e->to);

		if (!from || !to) {
			c->n = 0;
			return;
		}
		if (e->relation == REL_PO)
			e->kept = hardware_kept(g, e->from, e->to);
		e->from = from;
		e->to = to;
	}
	join_po(c);
}

/* The waits of blocked threads, with their numbers, names and stacks. */
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

/* Run t, which is alive, to its next label in the graph. */
static bool run_to_label(const struct failure *w, u32 t)
{
	const struct graph *g = &w->trust->graph;

	return execute_run_to(t) &&
	       execute_is_at(t, &w->trust->cache.node[g->thread[t].node].label);
}

/* Run along the plan, then the threads that matter to their next labels. */
static bool run_along(const struct failure *w, const struct plan *p, bool others)
{
	const struct graph *g = &w->trust->graph;
	u32 racing = failure_is_pair(w) ? p->item[p->n - 1] : 0;
	bool good = execute_replay(g, p, racing);

	for (u32 t = 0; t < g->nthreads && good; t++) {
		if (!graph_is_alive(g, t))
			continue;
		if (w->how == LEAF_STUCK)
			good = run_to_label(w, t);
		else if (others && t != w->thread)
			good = execute_run_to(t);
	}
	return good && (w->how != LEAF_FAIL || run_to_label(w, w->thread));
}

/* Misuse may be due to the position of another thread: before the join of the same thread, for
 * example. */
static bool run_recorded(const struct failure *w, const struct plan *p)
{
	enum execute_stop stopped = execute_stopped();

	repeat_record(true);
	if (run_along(w, p, false))
		return true;
	if (w->how != LEAF_FAIL || execute_again())
		return false;
	execute_finish();
	execute_resume(stopped);
	repeat_record(true);
	return run_along(w, p, true);
}

/* The threads have passed a complete execution: does it have the finding? */
static bool ends_badly(const struct failure *w, struct finding *f)
{
	const struct graph *g = &w->trust->graph;

	if (f->kind == FINDING_LEAK || f->kind == FINDING_THREADS)
		return leak_graph_record(g, f);
	if (f->kind != FINDING_LINEARIZABILITY)
		return true;
	for (u32 t = 0; t < g->nthreads; t++)
		if (graph_is_alive(g, t) && !execute_run_to(t))
			return false;
	if (!history_fails_graph(g, &w->trust->cache, f))
		return false;
	history_record(f);
	return true;
}

/* The step of one of two events that fail together: an operation on an object is recorded after its
 * event. */
static u32 step_of_pair(const struct graph *g, u32 e)
{
	return g->event[e].flags & E_SYNC ? cycle_step(g, e) : recorded_step(g, e);
}

/* The threads whose next step is possible, as far as the cache knows: the program cannot run on
 * after the failure. */
static void find_enabled(const struct trust *x, bool *enabled)
{
	for (u32 t = 0; t < x->graph.nthreads; t++) {
		const struct label *l = &x->cache.node[x->graph.thread[t].node].label;

		enabled[t] = graph_is_alive(&x->graph, t) &&
			     (label_is_access(l) || l->type == LABEL_FENCE ||
				     l->type == LABEL_START || l->type == LABEL_CREATE);
	}
}

/* Also those that have been created but have not begun. */
static void find_unstarted(bool *enabled)
{
	static bool begun[THREADS_MAX];

	memset(begun, 0, sizeof begun);
	for (u32 i = 0; i < record.nevents; i++)
		begun[M.created[record.event[i].thread]] = true;
	for (u32 i = 0; i < M.nthreads; i++)
		enabled[M.created[i]] |= !begun[M.created[i]];
}

/* Note the access to a stack, and the end of its thread or the return of its function. */
static void note_stack_access(const struct failure *w, struct finding *f)
{
	const struct graph *g = &w->trust->graph;
	struct finding again;
	struct stack_use use;

	if (!stack_fails_graph(w->trust, &again, &use))
		return;
	f->thread = M.thread[g->event[use.access].thread].number;
	f->step = recorded_step(g, use.access);
	f->other = recorded_step(g, use.frame);
	for (u32 step = record.nevents; step && !f->other; step--)
		if (record.event[step - 1].kind == EV_EXIT &&
			M.created[record.event[step - 1].thread] == use.owner)
			f->other = step;
}

/* Note the events that a model in a file flags. */
static void note_flag(const struct failure *w, struct finding *f)
{
	const struct graph *g = &w->trust->graph;
	struct raised r;

	if (!flag_graph_has(w->trust, f, &r))
		return;
	f->thread = r.event[1] ? M.thread[g->event[r.event[1]].thread].number : 0;
	f->step = r.event[1] ? recorded_step(g, r.event[1]) : 0;
	f->other = r.event[0] ? recorded_step(g, r.event[0]) : 0;
}

/* The threads and steps of the finding, in the execution that was recorded. */
static void locate_finding(const struct failure *w, struct finding *f, struct replay_facts *facts,
	struct wait *waits)
{
	const struct graph *g = &w->trust->graph;

	if (w->how == LEAF_FAIL) {
		*f = M.finding;
	} else if (w->how == LEAF_STUCK) {
		facts->nwaits = waits_now(w, waits);
		stuck_describe(waits, facts->nwaits, f);
	} else if (failure_is_pair(w)) {
		f->thread = M.thread[w->thread].number;
		f->step = step_of_pair(g, g->thread[w->thread].last);
		f->other = failure_is_value(w) ? 0 : step_of_pair(g, w->other);
	}
	if (f->kind == FINDING_STACK)
		note_stack_access(w, f);
	if (f->kind == FINDING_FLAG)
		note_flag(w, f);
}

bool failure_record_graph(const struct failure *w, const struct plan *p, const struct cycle *c,
	bool sc, struct status_finding *f)
{
	static struct wait waits[THREADS_MAX];
	static bool enabled[THREADS_MAX];
	struct graph *g = &w->trust->graph;
	struct cycle steps = {.n = 0};
	struct axiom_found axiom;
	struct replay_facts facts = {.waits = waits, .cycle = &steps, .enabled = enabled};
	bool good;

	find_enabled(w->trust, enabled);
	execute_finish(); /* end that execution before output is captured */
	good = run_recorded(w, p) && (w->how != LEAF_COMPLETE || ends_badly(w, &f->finding));
	if (good && f->finding.kind == FINDING_LOCK_ORDER) {
		facts.nwaits = lock_order_waits(waits);
		good = facts.nwaits;
	}
	repeat_record(false);
	if (good && w->how == LEAF_STUCK)
		stuck_show(waits, waits_now(w, waits), execute_show);
	execute_finish();
	if (!good)
		return false;
	find_unstarted(enabled);
	number_events(g, p);
	put_choices(g, p);
	note_early(g);
	note_missed(g, p);
	note_co(g, p);
	if (!sc)
		steps = *c;
	cycle_in_steps(g, &steps);
	/* A race does not depend on the order alone: even without a reordering it may not be one
	 * under sc. */
	f->reorder = !sc ? 1 : failure_is_pair(w) ? -1 : 0;
	locate_finding(w, &f->finding, &facts, waits);
	if (unlikely(g->places->cat)) {
		find_axiom(g, &steps, &axiom);
		facts.axiom = &axiom;
	}
	replay_write_facts(f, &facts);
	return true;
}
