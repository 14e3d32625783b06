/* SPDX-License-Identifier: ISC */
/* failure.c - see failure.h. */
#include "failure/failure.h"
#include "graph/execute.h"
#include "buffers/buffers.h"
#include "machine/execution/execution.h"
#include "buffers/plan_driver.h"
#include "holes/holes.h"
#include "buffers/visible.h"
#include "heap/stack_check.h"
#include "machine/execution/tsan_store.h"
#include "process/pages.h"
#include "failure/minimise.h"
#include "failure/replay.h"
#include "failure/search_state.h"
#include "failure/verdict.h"
#include "failure/repeat.h"
#include "model/pieces.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct plan *failure_plan(const struct graph *g, void **memory)
{
	static struct plan plan;
	static void *scratch;
	static size_t size;

	if (!plan.item)
		plan.item = pages_need(2 * GRAPH_EVENTS * sizeof *plan.item);
	if (size < linearize_memory(g)) {
		size = 2 * linearize_memory(g);
		scratch = pages_need(size);
	}
	*memory = scratch;
	return &plan;
}

/* --- on store buffers ------------------------------------------------------------------------ */

/* The verdict of the store-buffer machine on a failure. */
enum confirmed { CONFIRMED, UNKNOWN, DENIED };

/* Does the execution just recorded end in the finding? */
static bool has_ended_in(const struct finding *f)
{
	return M.outcome == OUTCOME_FAIL && finding_same_place(&M.finding, f);
}

static void write_recorded(struct status_finding *f)
{
	f->finding = M.finding;
	replay_write(f);
	verdict_publish(f);
}

/* M is on the store-buffer machine. Does the execution end in the same finding? Its file is written
 * at once: the time may be up before a simpler one is found. */
static enum confirmed follow_plan(
	const struct failure *w, const struct plan *p, struct status_finding *f)
{
	const struct finding wanted = f->finding;
	const u32 *best;
	u32 n;

	explore_start(&M.explore, &strategy_plan, M.options, M.status->choices, STATUS_CHOICES,
		&M.status->nchoices);
	if (!plan_driver_begin(&w->trust->graph, p, w->how == LEAF_FAIL ? w->thread : 0))
		return UNKNOWN;
	explore_next(&M.explore);
	repeat_record(true);
	run_execution();
	repeat_record(false);
	if (!plan_driver_end() || !has_ended_in(&wanted))
		return UNKNOWN;
	write_recorded(f);
	n = M.explore.nlog;
	best = minimise_schedule(M.explore.log, &n, &M.finding);
	repeat_execution(best, n, true);
	if (M.outcome == OUTCOME_STOPPED)
		return CONFIRMED;
	if (!M.explore.diverged && has_ended_in(&wanted)) {
		write_recorded(f);
		return CONFIRMED;
	}
	verdict_withdraw(f);
	unlink(f->replay);
	f->replay[0] = 0;
	f->finding = wanted;
	return UNKNOWN;
}

/* Ids of threads that others access: their stores are events of the graph, before the thread is
 * created (engine.h). */
static void learn_ids(const struct graph *g)
{
	for (u32 t = 1; t < g->nthreads; t++) {
		u32 e = g->thread[t].create ? g->event[g->thread[t].create].po_prev : 0;

		if (e && g->event[e].type == LABEL_PLAIN_WRITE)
			visible_learn(g->places->place[g->event[e].loc].addr);
	}
	visible_adopt();
}

/* Is another thread at a failure that has been reported? On store buffers the thread would fail
 * there. */
static bool others_fail(const struct failure *w)
{
	const struct graph *g = &w->trust->graph;

	for (u32 t = 0; t < g->nthreads; t++)
		if (graph_has_thread(g, t) && t != w->thread &&
			w->trust->cache.node[g->thread[t].node].label.type == LABEL_FAIL)
			return true;
	return false;
}

static enum confirmed record_on_buffers(
	const struct failure *w, struct status_finding *f, const char **why)
{
	static char otherwise[sizeof f->finding.message + 32];
	struct search_state saved;
	void *memory;
	struct plan *p = failure_plan(&w->trust->graph, &memory);
	enum confirmed answer;

	if (!linearize_plan(&w->trust->graph, M.model, w->thread, memory, p, NULL)) {
		*why = "the graph has no schedule";
		return DENIED;
	}
	execute_finish();
	engine_use(&buffers_plan_engine);
	search_push(&saved);
	M.private = false;
	M.bounds = 0;
	stack_check_expect(&f->finding);
	learn_ids(&w->trust->graph);
	answer = follow_plan(w, p, f);
	if (answer == CONFIRMED) {
		;
	} else if (M.outcome == OUTCOME_STOPPED) {
		; /* as a graph, if there is time */
	} else if (M.bounds & BOUND_BUFFER) {
		coverage_note("a failing execution needs buffers of more than %u stores "
				 "(--buffer-size): it is reported as a graph", M.buffer_size);
	} else if (M.bounds & BOUND_STEPS) {
		coverage_note("on store buffers a spinning thread continues for ever, as its "
			      "iterations write to its own memory: it is reported as a graph");
	} else if (!others_fail(w) && !plan_driver_early()) {
		answer = DENIED;
		snprintf(otherwise, sizeof otherwise, "on store buffers %s",
			M.outcome == OUTCOME_FAIL ? M.finding.message : "it ends");
		*why = otherwise;
	}
	engine_use(&graph_engine);
	stack_check_expect(NULL);
	M.fine = false;
	M.outcome = OUTCOME_EXIT;
	search_pop(&saved);
	return answer;
}

/* --- as a graph ------------------------------------------------------------------------------ */

/* A race ends with its second access; later steps of other threads do not count. */
static void cut_off(const struct failure *w, struct plan *p)
{
	const struct graph *g = &w->trust->graph;
	u32 last = g->thread[w->thread].last, other = w->other, n = 0;
	bool met = false;

	last = graph_first(g, g->event[last].flags & E_WRITE && g->event[last].flags & E_EXCL
				      ? graph_read_of(g, last)
				      : last);
	other = graph_first(g, g->event[other].flags & E_WRITE && g->event[other].flags & E_EXCL
				       ? graph_read_of(g, other) : other);
	while (n < p->n && p->item[n] != last)
		met |= p->item[n++] == other;
	met |= other == last;
	if (met && n < p->n)
		p->n = n + 1;
}

/* Record the graph, or one that fails in the same way and is easier to read. */
static enum recorded record_as_graph(const struct failure *found, struct status_finding *f)
{
	static u32 items[2 * GRAPH_EVENTS];
	struct failure w = *found;
	const struct graph *g = &w.trust->graph;
	struct cycle cycle;
	void *memory;
	struct plan *p = failure_plan(g, &memory), another;
	bool sc = !g->holes && linearize_plan(g, MODEL_SC, w.thread, memory, p, &cycle);

	if (g->holes)
		holes_cycle(g, &cycle);
	if (!sc)
		linearize_causal(g, w.thread, memory, p);
	if (failure_is_pair(&w))
		cut_off(&w, p);
	/* First the failure itself: a candidate may show that more memory is shared, and then no
	 * earlier graph can be followed. */
	if (!failure_record_graph(&w, p, &cycle, sc, f))
		return execute_stopped() == EXECUTE_STOPPED ? RECORDED_NO_TIME : RECORDED_NOT;
	verdict_publish(f);
	if (g->holes || !minimise_graph(&w, p, &f->finding))
		return RECORDED;
	failure_plan(g, &memory); /* it may have more events */
	another = (struct plan){.item = items}; /* the order of p is better */
	sc = linearize_plan(g, MODEL_SC, w.thread, memory, &another, &cycle);
	failure_record_graph(&w, p, &cycle, sc, f);
	minimise_graph_end(&w);
	return RECORDED;
}

/* Does a loop repeat an iteration up to a limit? */
static bool skips_iterations(const struct failure *w)
{
	const struct graph *g = &w->trust->graph;
	bool skips = false;

	for (u32 e = 1; e <= g->n; e++)
		skips |= trust_label(w->trust, e)->skips;
	for (u32 t = 0; t < g->nthreads; t++)
		skips |= w->trust->cache.node[g->thread[t].node].label.skips;
	if (skips)
		coverage_note("a loop repeats an iteration up to a limit: "
			      "the report shows it once");
	return skips;
}

/* On store buffers each thread has its own clock: does the graph agree? */
static bool shows_own_time(const struct graph *g)
{
	u32 t = GRAPH_THREADS;

	for (u32 e = 1; e <= g->n; e++) {
		if (g->event[e].type != LABEL_CLOCK)
			continue;
		if (t != GRAPH_THREADS && t != g->event[e].thread)
			return false;
		t = g->event[e].thread;
	}
	return !graph_has_time(g);
}

enum recorded failure_record(const struct failure *w, struct status_finding *f, const char **why)
{
	enum confirmed answer = UNKNOWN;
	bool skips = skips_iterations(w);

	if (w->how != LEAF_STUCK)
		trust_prefer_sc(w->trust);
	/* On store buffers announced plain stores are not buffered, so the execution may be
	 * impossible there. And each iteration of a loop would be run. A model in a file judges
	 * graphs. */
	if (!failure_is_pair(w) && M.buffers != BUFFERS_UNDEFINED && !tsan_store_used && !skips &&
		shows_own_time(&w->trust->graph) &&
		f->finding.kind != FINDING_PORTABILITY && f->finding.kind != FINDING_STACK &&
		!w->trust->places->cat)
		answer = record_on_buffers(w, f, why);
	if (answer != UNKNOWN)
		return answer == CONFIRMED ? RECORDED : RECORDED_NOT;
	*why = execute_words();
	return record_as_graph(w, f);
}
