/* SPDX-License-Identifier: ISC */
/*
 * graph_replay.c - the execution graph in a replay file, rebuilt by running the program.
 *
 * Each choice of the file has the thread of the next event, and its source or position in co; the
 * event itself comes from the program. When the graph is complete the program runs along it once
 * more, recorded, and the events must be those of the file.
 */
#include "failure/failure.h"
#include "buffers/buffers.h"
#include "graph/execute.h"
#include "heap/heap.h"
#include "holes/holes.h"
#include "process/module.h"
#include "process/pages.h"
#include "machine/record/record.h"
#include "failure/passing.h"
#include "failure/replay.h"
#include "failure/repeat.h"
#include "search/graph/graph_search.h"

#include <stdio.h>
#include <string.h>

#define RESTARTS \
	1000 /* rebuilds, one each time that more memory is found to be shared */

static struct trust *trust;
static struct plan plan;
static u32 followed;  /* choices */
static u16 *event_of; /* [choice], 1 first: the write it made, else its event */

/* --- building -------------------------------------------------------------------------------- */

/* Translate a choice, for its thread's next label. */
static u32 meaning(const struct trace_choice *c, const struct label *l)
{
	if (l->type == LABEL_CHOOSE)
		return c->taken;
	return label_reads(l) || l->type == LABEL_WRITE || l->type == LABEL_PLAIN_WRITE
		       ? event_of[c->taken]
		       : 0;
}

static bool has_thread(const struct graph *g, u32 t)
{
	return t < g->nthreads && graph_is_alive(g, t);
}

/* An access of several locations: a choice for each. Returns their number; 0: impossible. */
static u32 replay_pieces(const struct trace *t, u32 i, const struct label *l)
{
	struct graph *g = &trust->graph;
	u32 slot = (u32)t->choices[i].thread, e = g->n + 1, n, choice[PIECES_MAX];
	u16 piece[PIECES_MAX];

	n = place_pieces(g->places, l->loc, piece);
	if (i + n > t->nchoices || g->n + 2 * n >= GRAPH_EVENTS)
		return 0;
	for (u32 k = 0; k < n; k++) {
		const struct trace_choice *c = &t->choices[i + k];

		if ((u32)c->thread != slot || c->taken > i)
			return 0;
		choice[k] = event_of[c->taken];
	}
	if (!trust_add_pieces(trust, slot, choice, t->choices[i].why == WHY_GRAPH_RARE))
		return 0;
	plan.item[plan.n++] = e;
	for (u32 k = 0; k < n; k++)
		event_of[i + k + 1] = (u16)(g->n - n + 1 + k);
	return n;
}

/* Add the event of choice i; returns the number of choices used. */
static u32 add_choice(const struct trace *t, u32 i)
{
	const struct trace_choice *c = &t->choices[i];
	struct graph *g = &trust->graph;
	u32 slot = (u32)c->thread, e = g->n + 1;
	const struct label *l = has_thread(g, slot) ? trust_next(trust, slot) : NULL;

	if (l && label_has_pieces(l))
		return replay_pieces(t, i, l);
	if (l && c->why == WHY_GRAPH_EARLY) {
		if (c->taken > t->nchoices || !trust_add_early(trust, slot, c->value))
			return 0;
		plan.item[plan.n++] = e;
		event_of[i + 1] = (u16)g->n;
		return 1;
	}
	if (!l || g->n + 2 >= GRAPH_EVENTS || (l->type != LABEL_CHOOSE && c->taken > i) ||
		!trust_add(trust, slot, meaning(c, l), c->why == WHY_GRAPH_RARE))
		return 0;
	plan.item[plan.n++] = e;
	event_of[i + 1] = (u16)g->n;
	return 1;
}

/* All choices have been added: the values of reads that come before their sources. */
static void set_early_sources(const struct trace *t)
{
	struct graph *g = &trust->graph;

	for (u32 i = 0; i < t->nchoices; i++)
		if (t->choices[i].why == WHY_GRAPH_EARLY) {
			g->event[event_of[i + 1]].cursor = event_of[t->choices[i].taken];
			g->holes = true;
		}
}

/* Note that several threads use or free the block. */
static void know_block(const struct trace *t, const struct trace_event *e)
{
	const struct trace_place *p = trace_place(t, e->place);
	const struct trace_block *b = p ? trace_block(t, p->block) : NULL;

	if (b)
		execute_know(module_address(t, b->address) - HEAP_ALIGNMENT, 8, false);
}

/* Note shared memory, which the program reveals only in other executions. */
static void know_locations(const struct trace *t)
{
	for (u32 i = 0; i < t->nevents; i++) {
		const struct event *e = &t->events[i].e;

		if (e->flags & EVENT_USE)
			know_block(t, &t->events[i]);
		else if (kind_is_access(e->kind) && e->size && e->size <= 16 && e->addr)
			execute_know(
				module_address(t, e->addr), e->size, !(e->flags & EVENT_PLAIN));
	}
}

/* Is the finding a pair of events of the graph? Then no thread goes on, which could share more
 * memory. */
static bool is_pair(const struct finding *f)
{
	return f->kind == FINDING_RACE || (f->kind == FINDING_HEAP && f->other);
}

/* Add all choices. False: the program diverged, after plan.n of them. */
static bool build_graph(const struct trace *t)
{
	u32 i = 0;

	for (u32 again = 0; again < RESTARTS; again++) {
		trust_clear(trust);
		plan.n = 0;
		i = 0;
		for (u32 n = 1; i < t->nchoices && n; i += n)
			n = add_choice(t, i);
		if (i == t->nchoices && !is_pair(&t->finding.f))
			for (u32 k = 0; k < trust->graph.nthreads && trust->answer == ANSWER_LABEL;
				k++)
				if (has_thread(&trust->graph, k))
					trust_next(trust, k);
		if (trust->answer != ANSWER_RESTART)
			break;
	}
	followed = i;
	if (i == t->nchoices)
		set_early_sources(t);
	return i == t->nchoices && trust->answer == ANSWER_LABEL;
}

/* --- divergence --------------------------------------------------------------------- */

static enum event_kind label_event_kind(const struct label *l)
{
	switch (l->type) {
	case LABEL_WRITE:
	case LABEL_PLAIN_WRITE:
		return !(l->flags & LABEL_HEAP) ? EV_WRITE : l->value ? EV_MALLOC : EV_FREE;
	case LABEL_RMW: return EV_RMW;
	case LABEL_CAS: return EV_CAS;
	case LABEL_FENCE: return EV_FENCE;
	case LABEL_SYNC: return EV_LOCK;
	case LABEL_ARRIVE: return EV_BARRIER;
	case LABEL_LEAVE: return EV_BARRIER_LEAVE;
	case LABEL_CREATE: return EV_CREATE;
	case LABEL_START: return EV_START;
	case LABEL_JOIN: return EV_JOIN;
	case LABEL_END: return EV_EXIT;
	case LABEL_CHOOSE: return EV_CHOOSE;
	case LABEL_FAIL: return EV_FAIL;
	default: return EV_READ;
	}
}

/* Record the part that the program followed, to report where it diverged. */
static void explain_divergence(const struct trace *t)
{
	u32 slot = followed < t->nchoices ? (u32)t->choices[followed].thread : 0;
	struct event now = {.kind = EV_KINDS};
	const struct label *l;
	u64 code = 0;

	trust->answer = ANSWER_LABEL;
	if (has_thread(&trust->graph, slot)) {
		l = trust_next(trust, slot);
		if (l) {
			now.kind = (u8)label_event_kind(l);
			now.thread = M.thread[slot].number;
			code = module_code_at(l->site);
		}
	}
	repeat_record(true);
	execute_replay(&trust->graph, &plan, 0);
	repeat_record(false);
	execute_finish();
	replay_explain_graph(t, &now, code);
}

/* --- the end --------------------------------------------------------------------------------- */

/* Is the label the recorded finding? */
static bool is_found(const struct trace *t, const struct label *l)
{
	const struct finding *f = &t->finding.f;

	if (f->kind == FINDING_DEADLOCK || f->kind == FINDING_LIVELOCK)
		return true;
	return l->type == LABEL_FAIL && finding_same(execute_finding(l), f);
}

/* The first thread at the finding, or at another failure. False: none. */
static bool failing_thread(const struct trace *t, u32 *thread)
{
	const struct graph *g = &trust->graph;
	bool some = false;

	for (u32 k = g->nthreads; k--;) {
		const struct label *l = &trust->cache.node[g->thread[k].node].label;

		if (!has_thread(g, k) || (l->type != LABEL_FAIL && !is_found(t, l)))
			continue;
		if (!some || is_found(t, l))
			*thread = k;
		some = true;
	}
	return some;
}

/* The failure of the graph, if it is the recorded one. */
static bool is_failure_repeated(const struct trace *t, struct failure *w)
{
	const struct graph *g = &trust->graph;
	enum finding_kind kind = t->finding.f.kind;

	w->trust = trust;
	w->how = kind == FINDING_RACE				      ? LEAF_RACE
	       : kind == FINDING_HEAP && t->finding.f.other		      ? LEAF_HEAP
	       : kind == FINDING_DEADLOCK || kind == FINDING_LIVELOCK ? LEAF_STUCK
	       : kind == FINDING_LEAK || kind == FINDING_THREADS || kind == FINDING_LOCK_ORDER ||
			       kind == FINDING_STACK || kind == FINDING_FLAG ||
			       kind == FINDING_LINEARIZABILITY ||
			       kind == FINDING_PORTABILITY		      ? LEAF_COMPLETE
								      : LEAF_FAIL;
	if (kind == FINDING_UNINIT && plan.n) { /* found by the explorer, or by the thread */
		enum leaf how;
		u32 last = plan.item[plan.n - 1];

		w->how = trust_fault(trust, last, &how) || trust_fault(trust, g->n, &how)
				 ? LEAF_HEAP
				 : LEAF_FAIL;
	}
	if (w->how == LEAF_COMPLETE)
		return true; /* if not, recording shows it */
	if (failure_is_pair(w)) {
		u32 last = plan.n ? plan.item[plan.n - 1] : 0;
		enum leaf how;

		w->thread = g->event[last].thread;
		w->other = last ? trust_fault(trust, last, &how) : 0;
		if (!w->other && last != g->n)
			w->other = trust_fault(trust, g->n, &how);
		return w->other && how == w->how;
	}
	return failing_thread(t, &w->thread);
}

static int follow_graph(const struct trace *t)
{
	struct status_finding *f = &M.status->findings[0];
	struct failure w = {.thread = 0};
	struct cycle cycle;
	void *memory;
	struct plan *sc = NULL;
	bool is_sc;

	know_locations(t);
	if (M.options->passing)
		return build_graph(t) ? passing_search_graph(trust, &plan, t, add_choice) : 2;
	if (!build_graph(t) || !is_failure_repeated(t, &w)) {
		explain_divergence(t);
		return 2;
	}
	sc = failure_plan(&trust->graph, &memory);
	is_sc = !trust->graph.holes &&
		linearize_plan(&trust->graph, MODEL_SC, w.thread, memory, sc, &cycle);
	if (trust->graph.holes)
		holes_cycle(&trust->graph, &cycle);
	memset(f, 0, sizeof *f);
	f->execution = 1;
	f->finding = t->finding.f;
	if (!failure_record_graph(&w, &plan, &cycle, is_sc, f) || replay_differs(t)) {
		replay_explain(t);
		return 2;
	}
	M.status->executions = M.status->failing = M.status->nfindings = 1;
	return 1;
}

int graph_replay(const struct trace *recorded)
{
	struct program program = {.next = execute_next};
	int code;

	if (!event_of) {
		event_of = pages_need((GRAPH_EVENTS + 1) * sizeof *event_of);
		plan.item = pages_need((GRAPH_EVENTS + 1) * sizeof *plan.item);
	}
	trust = recorded->nchoices < GRAPH_EVENTS ? graph_begin(&program) : NULL;
	if (!trust) {
		snprintf(M.status->note, sizeof M.status->note,
			"not enough memory to follow an execution graph of %u events",
			recorded->nchoices);
		M.status->state = STATUS_REFUSED;
		return 2;
	}
	code = follow_graph(recorded);
	graph_end();
	return code;
}
