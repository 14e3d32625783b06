/* SPDX-License-Identifier: ISC */
/* leak_graph.c - see leak_graph.h. */
#include "search/leak_graph.h"
#include "graph/execute.h"
#include "machine/core.h"
#include "machine/leak.h"
#include "machine/unjoined.h"
#include "process/sys.h"
#include "search/failure.h"

#define ALWAYS 256 /* graphs that are run for this whatever it costs; after them: */
#define SHARE  4   /* at most one part in so many of the time */

/* Let threads that do nothing else any more join others. */
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

/* What all threads together have allocated and not freed; *ended: all of them have. */
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

static bool bring_all(const struct graph *g)
{
	for (u32 t = 0; t < g->nthreads; t++)
		if (graph_is_alive(g, t) && !execute_bring(t))
			return false;
	return true;
}

/* Is there time to run this one? */
static bool affordable(u64 spent, u32 n)
{
	if (n < ALWAYS || spent * SHARE < clock_ns() - M.began)
		return true;
	coverage_note("leaks and unjoined threads were not looked for in every execution: that would have "
			 "taken too long");
	return false;
}

/* What the graph itself does not say: does it have to be run? */
static bool may_leak(struct trust *x)
{
	bool ended;

	return M.options->detect & DETECT_LEAK && execute_unbalanced() && balance(x, &ended) && ended;
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
	static u64 spent, exploration;
	static u32 n;
	u64 start = clock_ns();
	struct plan *p;
	void *memory;
	bool threads, leaks, found;

	if (!may_fail(x, &threads, &leaks))
		return false;
	if (exploration != M.began) {
		exploration = M.began;
		spent = n = 0;
	}
	if (!affordable(spent, n++))
		return false;
	p = failure_plan(&x->graph, &memory);
	linear_causal(&x->graph, 0, memory, p);
	found = execute_replay(&x->graph, p, 0) && bring_all(&x->graph) &&
		((threads && unjoined_find(f)) || (leaks && leak_find(f)));
	execute_finish();
	spent += clock_ns() - start;
	return found;
}

bool leak_graph_record(const struct graph *g, struct finding *f)
{
	const struct heap_block *b;

	if (!bring_all(g))
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
