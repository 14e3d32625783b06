/* SPDX-License-Identifier: ISC */
/*
 * trust_sum.c - iterations of loops that add and take back, and whose sums make no difference to
 * others.
 *
 * A thread that subtracts from a count, finds too little, and adds the same again has changed what
 * all additions in between have read. An iteration does not matter to them if all writes of the
 * location in between are additions, which would have added the same without it, and their threads
 * would have done the same with the results: they do not use them, or only compare them with a
 * value that is on the same side of both. Other threads may be within such iterations, too, with
 * which this one is left out: the comparison must not change without any of those.
 *
 * Only if the iteration waits, that is, loads the location, too: threads that try again at once can
 * fail because of each other for ever, and that is a finding.
 *
 * The remaining RMWs of the location are a release sequence as before, so an execution without the
 * iteration has no more synchronisation, and all its relations are parts of those with it. Not so
 * for models of hardware, and in files.
 */
#include "trust/trust_priv.h"
#include "model/addition.h"

#include <heddle/abi.h>

static bool is_addition(const struct trust *x, u32 w)
{
	const struct gevent *e = &x->graph.event[w];
	const u16 half = E_WRITE | E_EXCL;

	return (e->flags & half) == half && label_adds(trust_label(x, w));
}

/* Does the iteration also load the location? */
static bool looks(const struct graph *g, const struct trust_iteration *a, u32 last)
{
	for (u32 e = g->thread[a->thread].last; e; e = g->event[e].po_prev)
		if (iteration_has(a, &g->event[e]) && g->event[e].loc == g->event[last].loc &&
			(g->event[e].flags & (E_READ | E_EXCL)) == E_READ)
			return true;
	return false;
}

bool trust_adds_up(
	const struct trust *x, const struct trust_iteration *a, const struct trust_written *w)
{
	const struct graph *g = &x->graph;
	u64 sum = 0;

	if (!x->reduces || !w->excl || g->model->is_file || g->model->keeps ||
		!looks(g, a, w->last))
		return false;
	for (u32 v = w->first; v && is_addition(x, v); v = g->event[v].co_next) {
		if (iteration_has(a, &g->event[v]))
			sum += (u64)label_addend(trust_label(x, v));
		if (v == w->last)
			return !(sum << (64 - 8 * trust_label(x, v)->size));
	}
	return false;
}

/* Is e part of an iteration that restores the state? */
static bool is_in_iteration(const struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	struct trust_iteration a;

	for (u32 next = g->event[e].po_next; next; next = g->event[next].po_next) {
		if (!trust_is_again(x, next))
			continue;
		a = trust_iteration_until(g, g->event[next].po_prev, trust_label(x, next)->again);
		if (iteration_has(&a, &g->event[e]))
			return true;
	}
	a = trust_last_iteration(g, g->event[e].thread, trust_again_of(x, g->event[e].thread));
	return iteration_has(&a, &g->event[e]);
}

/* The range of sums that iterations have added to the write v: without some of them it is up to
 * *less smaller and *more greater. False: unknown. */
static bool range_of(const struct trust *x, u32 v, i64 *less, i64 *more)
{
	const struct graph *g = &x->graph;
	i64 sum[GRAPH_THREADS] = {0};

	*less = *more = 0;
	for (u32 w = v; w && is_addition(x, w); w = g->event[w].co_prev) {
		i64 *s = &sum[g->event[w].thread];

		if (is_in_iteration(x, w) &&
			__builtin_add_overflow(*s, label_addend(trust_label(x, w)), s))
			return false;
	}
	for (u32 t = 0; t < g->nthreads; t++)
		if (__builtin_add_overflow(*less, sum[t] > 0 ? sum[t] : 0, less) ||
			__builtin_sub_overflow(*more, sum[t] < 0 ? sum[t] : 0, more))
			return false;
	return true;
}

bool trust_minds(const struct trust *x, u32 r)
{
	const struct label *l = trust_label(x, r);
	const struct gevent *e = &x->graph.event[r];
	i64 less, more;

	if (!label_adds(l) || l->fail == HEDDLE_RESULT_USED)
		return true;
	return l->fail != HEDDLE_RESULT_UNUSED &&
	       (!range_of(x, e->rf, &less, &more) || label_minds(l, e->value, less, more));
}
