/* SPDX-License-Identifier: ISC */
/* graph_leaf.c - see graph_leaf.h. */
#include "search/graph/graph_leaf.h"
#include "graph/execute.h"
#include "graph/region.h"
#include "detect/heap.h"
#include "history/history.h"
#include "machine/wait/foreign.h"
#include "machine/observer/lock_order.h"
#include "machine/execution/loop_bound.h"
#include "machine/observer/reach.h"
#include "search/outcome/compare.h"
#include "failure/failure.h"
#include "failure/fine_graph.h"
#include "failure/flag_graph.h"
#include "failure/init_graph.h"
#include "failure/leak_graph.h"
#include "failure/stack_graph.h"
#include "failure/unconfirmed.h"
#include "search/graph/graph_finding.h"
#include "search/graph/races.h"
#include "search/jobs/share.h"
#include "search/jobs/worker.h"

#include <stdio.h>

static struct trust *trust;

static enum search_verdict judge_leaf(const struct failure *w, const struct finding_key *k)
{
	enum search_verdict verdict;

	if (unlikely(region_end_all())) { /* a report has all accesses */
		fine_graph_keep(trust, w->how, w->thread);
		trust->answer = ANSWER_RESTART;
		return SEARCH_GOES_ON;
	}
	if (compare_marking() || (compare_seeking() && k->finding.kind != FINDING_PORTABILITY)) {
		graph_finding_mark(w, k);
		return SEARCH_GOES_ON;
	}
	share_enter();
	verdict = graph_finding_add(w, k);
	worker_leave();
	if (verdict == SEARCH_STOPS)
		M.bounds |= BOUND_FINDING;
	return verdict;
}

static void count_failing(void)
{
	M.status->executions++;
	M.status->failing += !compare_marking() && !compare_seeking();
}

/* A failure that ends the execution. */
static enum search_verdict found_at_leaf(const struct failure *w, const struct finding_key *k)
{
	enum search_verdict verdict = judge_leaf(w, k);

	if (verdict != SEARCH_IGNORES && trust->answer == ANSWER_LABEL)
		count_failing();
	return verdict;
}

static struct label *stands_at(const struct graph *g, u32 t)
{
	return &trust->cache.node[g->thread[t].node].label;
}

/*
 * A failed thread stops; the others continue, as their events may come before the failure, and may
 * fail as well. A random walk ends. False: the execution continues.
 */
static bool found_failure(const struct graph *g, u32 t, enum search_verdict *verdict)
{
	struct failure w = {trust, LEAF_FAIL, t, 0};
	struct finding_key k = {.finding = *execute_finding(stands_at(g, t))};

	*verdict = judge_leaf(&w, &k);
	if (trust->answer == ANSWER_STOP)
		return false;
	if (*verdict == SEARCH_IGNORES) {
		stands_at(g, t)->type = LABEL_BLOCK;
		return false;
	}
	if (*verdict == SEARCH_GOES_ON && !strategy_is_walk((enum strategy)M.status->strategy)) {
		stands_at(g, t)->flags |= LABEL_REPORTED;
		return false;
	}
	count_failing();
	return true;
}

static bool has_failed(const struct graph *g)
{
	for (u32 t = 0; t < g->nthreads; t++)
		if (graph_is_alive(g, t) &&
			stands_at(g, t)->type == LABEL_FAIL)
			return true;
	return false;
}

/* Ignored pairs, as two code addresses each. */
static u32 passed[STATUS_FINDINGS][2];
static u32 npassed;

bool graph_leaf_passes(struct program *p, const struct label *a, const struct label *b)
{
	for (u32 i = 0; i < npassed; i++)
		if ((passed[i][0] == label_place(a) && passed[i][1] == label_place(b)) ||
			(passed[i][0] == label_place(b) && passed[i][1] == label_place(a)))
			return true;
	return false;
}

static void pass_over_pair(const struct finding_key *k)
{
	BUG_ON(npassed == STATUS_FINDINGS);
	passed[npassed][0] = k->site[0];
	passed[npassed++][1] = k->site[1];
	trust->lenient = true;
	if (graph_finding_is_doubted(k))
		return;
	coverage_note("past a suppressed race the search continues as if its accesses were "
		      "ordered: other values that they may read are not explored");
}

static enum heap_role role_of(const struct gevent *e)
{
	if (!(e->flags & E_HEAP) || e->flags & E_READ)
		return HEAP_USES;
	return e->value ? HEAP_ALLOCATES : HEAP_FREES;
}

/* The last event of t and another one: a race, or a heap error. */
static enum search_verdict found_pair(const struct graph *g, enum leaf how, u32 t, u32 other)
{
	struct failure w = {trust, how, t, other};
	u32 last = g->thread[t].last, a = label_place(trust_label(trust, last)),
	    b = label_place(trust_label(trust, other));
	const struct place *p = &g->places->place[g->event[other].loc];
	enum search_verdict verdict;
	struct finding_key k = {
		.finding = {.kind = how == LEAF_RACE ? FINDING_RACE : FINDING_HEAP,
			.thread = (u16)t},
		.site = {a < b ? a : b, a < b ? b : a},
	};

	if (how == LEAF_RACE)
		snprintf(k.finding.message, sizeof k.finding.message,
			"data race: nothing orders two accesses of %u bytes at 0x%llx, one of them "
			"not atomic",
			p->size, (unsigned long long)p->addr);
	else if (failure_is_value(&w))
		snprintf(k.finding.message, sizeof k.finding.message, "%s",
			heap_pair_words(HEAP_USES, HEAP_ALLOCATES, true));
	else
		snprintf(k.finding.message, sizeof k.finding.message, "%s",
			heap_pair_words(role_of(&g->event[last]), role_of(&g->event[other]),
				clock_has(g, graph_hb(g, g->event[last].po_prev), other)));
	if (failure_is_value(&w))
		k.finding.kind = FINDING_UNINIT;
	verdict = found_at_leaf(&w, &k);
	if (verdict == SEARCH_IGNORES)
		pass_over_pair(&k);
	else if (verdict == SEARCH_GOES_ON && trust->answer == ANSWER_LABEL)
		M.bounds |= how == LEAF_RACE ? BOUND_RACE : BOUND_HEAP;
	return verdict;
}

/* A write by a library, which may well be atomic, of a futex. */
static bool is_within_library(const struct label *write, const struct label *other)
{
	return write->type == LABEL_PLAIN_WRITE && write->flags & LABEL_FOREIGN &&
	       other->type == LABEL_READ && other->fail == LABEL_FUTEX;
}

/* Two accesses that look like a race, but are none; graphs cannot represent such a program. */
static bool only_looks_like_one(const struct graph *g, u32 t, u32 other)
{
	const struct label *a = trust_label(trust, g->thread[t].last);
	const struct label *b = trust_label(trust, other);

	if (label_apart(a, b))
		execute_give_up("unordered threads make plain accesses to different bytes of an "
				"atomic variable");
	else if (is_within_library(a, b) || is_within_library(b, a))
		execute_give_up("code that is not instrumented synchronises threads");
	else
		return false;
	trust->answer = ANSWER_STOP;
	return true;
}

/* Has a thread ended the process, and thereby all waits? */
static bool process_has_exited(const struct graph *g)
{
	for (u32 t = 0; t < g->nthreads; t++) {
		const struct label *l = stands_at(g, t);

		if (graph_has_thread(g, t) && l->type == LABEL_END && l->flags & LABEL_EXIT)
			return true;
	}
	return false;
}

static enum search_verdict found_leak(void)
{
	struct failure w = {trust, LEAF_COMPLETE, 0, 0};
	u32 n = trust->graph.n;
	struct finding_key k;
	enum search_verdict verdict = SEARCH_GOES_ON;

	if (leak_graph_fails(trust, &k.finding))
		verdict = found_at_leaf(&w, &k);
	else
		M.status->executions++;
	while (trust->graph.n > n)
		graph_pop(&trust->graph);
	return verdict;
}

/* All that the model in a file flags; an execution with several flags fails once. */
static enum search_verdict found_flags(const struct raised *raised, u32 n)
{
	struct failure w = {trust, LEAF_COMPLETE, 0, 0};
	enum search_verdict verdict = SEARCH_IGNORES, now;

	for (u32 i = 0; i < n && verdict != SEARCH_STOPS && trust->answer == ANSWER_LABEL; i++) {
		struct finding_key k = {.site = {0, 0}};

		flag_graph_describe(trust, &raised[i], &k.finding);
		now = judge_leaf(&w, &k);
		verdict = now == SEARCH_IGNORES ? verdict : now;
	}
	if (trust->answer != ANSWER_LABEL)
		return verdict == SEARCH_IGNORES ? SEARCH_GOES_ON : verdict;
	if (verdict == SEARCH_IGNORES)
		M.status->executions++;
	else
		count_failing();
	return verdict == SEARCH_IGNORES ? SEARCH_GOES_ON : verdict;
}

/* Findings of a complete execution. */
static enum search_verdict found_at_end(const struct graph *g)
{
	static struct raised raised[FLAGS_MOST];
	u32 n;
	struct failure w = {trust, LEAF_COMPLETE, 0, 0};
	struct finding_key k = {.site = {0, 0}};
	enum search_verdict verdict = SEARCH_GOES_ON;
	struct stack_use use;

	if (unlikely(compare_on()) && compare_fails(trust, &k.finding))
		verdict = found_at_leaf(&w, &k);
	else if (compare_seeking() || (compare_marking() && !compare_on()))
		M.status->executions++;
	else if ((unlikely(history_wanted()) &&
			 history_fails_graph(g, &trust->cache, &k.finding)) ||
		 lock_order_fails_graph(g, &trust->cache, &k.finding) ||
		 stack_fails_graph(trust, &k.finding, &use))
		verdict = found_at_leaf(&w, &k);
	else if ((n = flag_graph_list(trust, raised)))
		verdict = found_flags(raised, n);
	else if (M.options->detect & (DETECT_LEAK | DETECT_THREADS))
		verdict = found_leak();
	else
		M.status->executions++;
	if (verdict == SEARCH_IGNORES)
		M.status->blocked++;
	return verdict;
}

/* The blocked execution has a loop of too many iterations. */
static void count_cut(void)
{
	M.bounds |= BOUND_LOOPS;
	share_count_cut();
}

/* No thread is enabled. */
static enum search_verdict found_stuck(const struct graph *g)
{
	static struct wait waits[GRAPH_THREADS];
	struct failure w = {trust, LEAF_STUCK, 0, 0};
	struct finding_key k = {.finding = {.kind = FINDING_DEADLOCK}};
	enum search_verdict verdict;
	bool timed;
	u32 n;

	if (process_has_exited(g))
		return found_at_end(g);
	n = failure_waits(trust, waits, &timed);
	stuck_describe(waits, n, &k.finding);
	if (timed ||
		(k.finding.kind == FINDING_LIVELOCK && !(M.options->detect & DETECT_LIVELOCK))) {
		M.status->blocked++;
		if (loop_bound_on && !timed)
			count_cut();
		return SEARCH_GOES_ON;
	}
	verdict = found_at_leaf(&w, &k);
	if (verdict == SEARCH_IGNORES)
		M.status->blocked++;
	return verdict;
}

/* Is a thread at a bound on the iterations of its loop? */
static void count_blocked(const struct graph *g)
{
	M.status->blocked++;
	for (u32 t = 0; t < g->nthreads; t++) {
		const struct label *l = stands_at(g, t);

		if (graph_has_thread(g, t) && l->type == LABEL_BLOCK && l->op == LABEL_CUT) {
			count_cut();
			return;
		}
	}
}

static void promote(const struct graph *g, u32 e)
{
	execute_promote(g->event[e].loc);
	trust->heap_cause = true;
	trust->answer = ANSWER_RESTART;
}

/* A race is reported once; then, with races promoted, its accesses count as atomic. */
static enum search_verdict found_race_or_heap(
	const struct graph *g, enum leaf how, u32 t, u32 other)
{
	enum search_verdict verdict;

	if (how == LEAF_RACE && only_looks_like_one(g, t, other))
		return SEARCH_GOES_ON;
	if (how == LEAF_RACE && execute_promotes_races()) {
		promote(g, other);
		return SEARCH_GOES_ON;
	}
	verdict = found_pair(g, how, t, other);
	if (verdict == SEARCH_IGNORES)
		return verdict;
	if (trust->answer != ANSWER_LABEL) /* it is not reported yet, or could not be confirmed */
		return verdict;
	compare_unknown();
	if (how == LEAF_RACE && races_go_on(trust, t, other)) {
		promote(g, other);
		M.bounds &= ~(u32)(BOUND_FINDING | BOUND_RACE);
		return SEARCH_GOES_ON;
	}
	return verdict;
}

/* An initialisation of an object in use, in another execution. */
static enum search_verdict found_init(void)
{
	enum search_verdict verdict = SEARCH_GOES_ON;
	u32 t;

	if (compare_on() || compare_marking() || compare_seeking() ||
		!init_graph_fails(trust, &t))
		return verdict;
	found_failure(&trust->graph, t, &verdict);
	init_graph_restore(trust);
	return verdict;
}

/* --coverage: the source of each access of memory. */
static void note_pairs(const struct graph *g)
{
	for (u32 e = 1; e <= g->n; e++) {
		const struct gevent *x = &g->event[e];
		bool atomic = x->type == LABEL_READ || x->type == LABEL_RMW || x->type == LABEL_CAS;

		if (!atomic && (x->type != LABEL_PLAIN_READ || x->flags & E_HEAP))
			continue;
		if (x->flags & E_READ && trust_label(trust, e)->site)
			reach_pair(trust_label(trust, e)->site,
				x->rf ? trust_label(trust, x->rf)->site : 0);
	}
}

/* Executions that are repeated in programs that call libraries: the first ones, and some of those
 * that follow. */
#define REPEATED      64
#define REPEATED_EACH 64

/* Does the program repeat a complete execution, which may be one of cached labels only? If not, the
 * search begins again with calls of libraries as steps. */
static bool is_repeated_leaf(void)
{
	u64 n = M.status->executions;

	if (likely(!foreign_may_be_steps()) || (n > REPEATED && n % REPEATED_EACH))
		return true;
	if (!unconfirmed_changes(trust))
		return true;
	trust->answer = ANSWER_RESTART;
	return false;
}

/* Is there nothing to look for in a complete execution? */
static bool ends_plainly(const struct graph *g)
{
	return trust->short_leaves && !trust->inits && !g->places->stacks &&
	       !(M.options->detect & DETECT_LOCK_ORDER) && !history_wanted() &&
	       !foreign_may_be_steps();
}

enum search_verdict graph_leaf_judge(
	const struct graph *g, enum leaf how, u32 t, u32 other, bool *over)
{
	enum search_verdict verdict = SEARCH_GOES_ON;

	*over = true;
	if (how == LEAF_COMPLETE && likely(ends_plainly(g))) {
		M.status->executions++;
		return verdict;
	}
	if (unlikely(reach_table))
		note_pairs(g);
	if (how == LEAF_COMPLETE || how == LEAF_STUCK || how == LEAF_BLOCKED)
		verdict = found_init();
	if (verdict == SEARCH_STOPS || trust->answer != ANSWER_LABEL)
		return verdict;
	verdict = SEARCH_GOES_ON;
	switch (how) {
	case LEAF_COMPLETE: return is_repeated_leaf() ? found_at_end(g) : SEARCH_GOES_ON;
	case LEAF_STUCK: return found_stuck(g);
	case LEAF_BLOCKED:
		if (has_failed(g))
			count_failing();
		else if (process_has_exited(g))
			return found_at_end(g);
		else
			count_blocked(g);
		break;
	case LEAF_FAIL: *over = found_failure(g, t, &verdict); break;
	case LEAF_HEAP:
	case LEAF_RACE:
		verdict = found_race_or_heap(g, how, t, other);
		*over = verdict != SEARCH_IGNORES;
		break;
	}
	return verdict;
}

bool graph_leaf_is_lenient(void)
{
	return npassed;
}

bool graph_leaf_begin(struct trust *x)
{
	trust = x;
	if (!graph_finding_begin())
		return false;
	init_graph_begin();
	return true;
}
