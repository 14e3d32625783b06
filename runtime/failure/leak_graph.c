/* SPDX-License-Identifier: ISC */
/* leak_graph.c - see leak_graph.h. */
#include "failure/leak_graph.h"
#include "graph/execute.h"
#include "machine/core.h"
#include "heap/leak.h"
#include "machine/observer/unjoined.h"
#include "failure/failure.h"

#define ALWAYS 256 /* so many graphs are always run; after them: */
#define SHARE  16  /* at most one event is passed for so many that the explorer adds: a clock would
		    * make findings depend on the load of the machine */
#define BEGIN  32  /* the start of an execution counts as so many events */

/* Add the joins of threads that do nothing else. */
static bool join_all(struct trust *x)
{
	struct graph *g = &x->graph;
	bool again = true;

	while (again) {
		again = false;
		for (u32 t = 0; t < g->nthreads; t++) {
			const struct label *l = graph_is_alive(g, t) ? trust_next(x, t) : NULL;
			u32 other = l ? l->other : 0;

			if (!l || l->type != LABEL_JOIN)
				continue;
			if (graph_is_alive(g, other) && !trust_add(x, other, 0, false))
				return false;
			if (!trust_add(x, t, 0, false))
				return false;
			again = true;
		}
	}
	return x->answer == ANSWER_LABEL;
}

/* Blocks allocated minus blocks freed by all threads; *ended: all threads have ended. */
static i64 balance(struct trust *x, bool *ended)
{
	const struct graph *g = &x->graph;
	i64 sum = 0;

	*ended = true;
	for (u32 t = 0; t < g->nthreads; t++) {
		const struct label *l;

		if (!graph_has_thread(g, t))
			continue;
		l = g->thread[t].ended ? trust_label(x, g->thread[t].last) : trust_next(x, t);
		*ended &= l && l->type == LABEL_END;
		sum += l ? (i64)l->expected : 0;
	}
	return sum;
}

static bool run_all_threads_to(const struct graph *g)
{
	for (u32 t = 0; t < g->nthreads; t++)
		if (graph_is_alive(g, t) && !execute_run_to(t))
			return false;
	return true;
}

/* The effort of this exploration, in events. */
static struct {
	u64 exploration, added, passed;
	u32 stamp, graphs;
} effort;

static void count_added(const struct trust *x)
{
	if (effort.exploration != M.began) {
		effort.exploration = M.began;
		effort.added = effort.passed = effort.graphs = effort.stamp = 0;
	}
	effort.added += x->stamp < effort.stamp ? x->stamp : x->stamp - effort.stamp;
	effort.stamp = x->stamp;
}

/* Is the effort of running this graph in proportion? */
static bool affordable(const struct trust *x)
{
	count_added(x);
	effort.passed += x->graph.n + BEGIN;
	if (effort.graphs++ < ALWAYS || effort.passed * SHARE < effort.added)
		return true;
	effort.passed -= x->graph.n + BEGIN;
	coverage_note("not every execution was checked for leaks and unjoined threads: that would "
		      "have taken too long");
	return false;
}

/* May the execution leak, so that it has to be run? */
static bool may_leak(struct trust *x)
{
	bool ended;

	return M.options->detect & DETECT_LEAK && execute_unbalanced() && balance(x, &ended) &&
	       ended;
}

static bool may_fail(struct trust *x, bool *threads, bool *leaks)
{
	if (!(M.options->detect & DETECT_THREADS) && !execute_unbalanced())
		return false;
	if (!join_all(x))
		return false;
	*threads = M.options->detect & DETECT_THREADS && unjoined_may_be(&x->graph, &x->cache);
	*leaks = may_leak(x);
	return *threads || *leaks;
}

bool leak_graph_fails(struct trust *x, struct finding *f)
{
	struct plan *p;
	void *memory;
	bool threads, leaks, found;

	if (!may_fail(x, &threads, &leaks))
		return false;
	if (!affordable(x))
		return false;
	p = failure_plan(&x->graph, &memory);
	linearize_causal(&x->graph, 0, memory, p);
	found = execute_replay(&x->graph, p, 0) && run_all_threads_to(&x->graph) &&
		((threads && unjoined_find(f)) || (leaks && leak_find(f)));
	execute_finish();
	return found;
}

bool leak_graph_record(const struct graph *g, struct finding *f)
{
	const struct heap_block *b;

	if (!run_all_threads_to(g))
		return false;
	if (f->kind == FINDING_THREADS) {
		f->step = unjoined_find(f) ? unjoined_record(f) : 0;
		return f->step;
	}
	b = leak_find(f);
	if (b)
		f->step = leak_record(b, f->thread);
	return b;
}
