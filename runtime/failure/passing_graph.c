/* SPDX-License-Identifier: ISC */
/*
 * passing_graph.c - see passing.h: in graphs. Another choice is another thread, or the newest write
 * as the source of a read; then each read is of the newest write, and each write the newest. Older
 * sources are tried last: they would replace one surprise by another.
 */
#include "failure/passing.h"
#include "graph/execute.h"
#include "graph/sharing.h"
#include "history/history.h"
#include "machine/observer/lock_order.h"
#include "failure/failure.h"
#include "failure/flag_graph.h"
#include "failure/leak_graph.h"
#include "failure/stack_graph.h"

static struct {
	struct trust *x;
	struct plan *plan;
	const struct trace *failed;
	u32 (*add)(const struct trace *failed, u32 i);
	enum execute_stop stopped;
} P;

/* Are the events from `first` on neither races nor uses of freed memory? */
static bool is_good(u32 first)
{
	enum leaf how;

	for (u32 e = first; e <= P.x->graph.n; e++)
		if (trust_fault(P.x, e, &how))
			return false;
	return true;
}

/* Thread t executes its next label, with this source or write before it. */
static bool execute_label(u32 t, u32 choice)
{
	u32 first = P.x->graph.n + 1;

	if (first + 2 >= GRAPH_EVENTS || !trust_add_consistent(P.x, t, choice, false))
		return false;
	P.plan->item[P.plan->n++] = first;
	return is_good(first);
}

static u32 newest_write(const struct label *l)
{
	const struct graph *g = &P.x->graph;

	return l->type != LABEL_CHOOSE && l->loc && l->loc < g->nplaces ? g->place[l->loc].co_last
									: 0;
}

static bool add_newest(u32 t)
{
	const struct label *l = trust_next(P.x, t);

	return l && l->type != LABEL_FAIL && execute_label(t, newest_write(l));
}

/* The finding of the failed execution, if it is one of complete executions. */
static bool fails_at_end(void)
{
	u32 n = P.x->graph.n;
	struct stack_use use;
	struct raised raised;
	struct finding f;
	bool fails = false;

	switch (P.failed->finding.f.kind) {
	case FINDING_LINEARIZABILITY:
		fails = history_fails_graph(&P.x->graph, &P.x->cache, &f);
		break;
	case FINDING_LOCK_ORDER:
		fails = lock_order_fails_graph(&P.x->graph, &P.x->cache, &f);
		break;
	case FINDING_STACK: fails = stack_fails_graph(P.x, &f, &use); break;
	case FINDING_FLAG:
		fails = flag_graph_has(P.x, &P.failed->finding.f, &raised);
		break;
	case FINDING_LEAK:
	case FINDING_THREADS: fails = leak_graph_fails(P.x, &f); break;
	default: break;
	}
	while (P.x->graph.n > n)
		graph_pop(&P.x->graph);
	return fails;
}

/* The next thread: t if it is enabled; GRAPH_THREADS: none is. */
static u32 enabled_thread(u32 t)
{
	if (trust_ready(P.x, t))
		return t;
	for (t = 0; t < P.x->graph.nthreads; t++)
		if (trust_ready(P.x, t))
			return t;
	return GRAPH_THREADS;
}

/* Run on, t first. Does the execution pass? */
static bool run_on(u32 t)
{
	u32 most = 4 * P.failed->nchoices + 1000;

	while (P.plan->n < most && P.x->answer == ANSWER_LABEL) {
		t = enabled_thread(t);
		if (P.x->answer != ANSWER_LABEL)
			return false;
		if (t == GRAPH_THREADS)
			return trust_leaf(P.x) == LEAF_COMPLETE && P.x->answer == ANSWER_LABEL &&
			       !fails_at_end();
		if (!add_newest(t))
			return false;
	}
	return false;
}

/* The events of the choices before k. */
static bool add_before(u32 k)
{
	u32 i = 0;

	trust_empty(P.x);
	P.plan->n = 0;
	for (u32 n = 1; i < k && n; i += n)
		n = P.add(P.failed, i);
	return i == k && P.x->answer == ANSWER_LABEL && is_good(1);
}

/* Is there an attempt after these? What it has learnt of the program is dropped: the next one would
 * have other events. */
static bool try_again(void)
{
	if (P.x->answer == ANSWER_RESTART) {
		sharing_restore();
		execute_resume(P.stopped);
		P.x->answer = ANSWER_LABEL;
	}
	return P.x->answer == ANSWER_LABEL && passing_may_go_on();
}

/* Thread t reads from the newest write at choice k, or, with `older`, from each of the others. */
static bool try_passing_sources(u32 k, u32 t, bool older)
{
	u32 most = older ? P.x->graph.n : 0;

	for (u32 skip = older; skip <= most && try_again(); skip++) {
		const struct label *l;
		u32 w;

		if (!add_before(k))
			return false;
		l = trust_next(P.x, t);
		if (!l || !label_reads(l) || !l->loc)
			return false;
		w = newest_write(l);
		for (u32 n = skip; n && w; n--)
			w = P.x->graph.event[w].co_prev;
		if (execute_label(t, w) && run_on(t))
			return true;
		if (!w)
			return false;
	}
	return false;
}

static bool try_threads(u32 k, u32 t)
{
	u32 threads = 1;

	for (u32 other = 0; other < threads && try_again(); other++) {
		if (!add_before(k))
			return false;
		threads = P.x->graph.nthreads;
		if (other != t && trust_ready(P.x, other) && add_newest(other) && run_on(other))
			return true;
	}
	return false;
}

static bool try_choices(bool older)
{
	for (u32 k = P.failed->nchoices; k-- > 0 && try_again();) {
		u32 t = (u32)P.failed->choices[k].thread;

		if ((!older && try_threads(k, t)) || try_passing_sources(k, t, older))
			return true;
	}
	return false;
}

int passing_search_graph(struct trust *x, struct plan *p, const struct trace *failed,
	u32 (*add)(const struct trace *failed, u32 i))
{
	struct failure w = {.trust = x, .how = LEAF_COMPLETE};
	struct cycle cycle = {.n = 0};

	if (x->places->mixed || graph_has_time(&x->graph) ||
		failed->finding.f.kind == FINDING_PORTABILITY)
		return 3;
	P.x = x;
	P.plan = p;
	P.failed = failed;
	P.add = add;
	sharing_save();
	P.stopped = execute_stopped();
	passing_begin();
	if (!(try_choices(false) || try_choices(true)) ||
		!failure_record_graph(&w, p, &cycle, true, passing_finding()))
		return 3;
	return 0;
}
