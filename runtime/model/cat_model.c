/* SPDX-License-Identifier: ISC */
/*
 * cat_model.c - a memory model from a file (cat/cat.h).
 *
 * Explored are all executions without a cycle of po and rf that are coherent, in which nothing
 * comes between the halves of an RMW, and in which threads, mutexes and the like order memory; of
 * these, the file's axioms forbid some. A file with axioms that are no reason to drop a graph, as
 * its continuation may satisfy them, is asked again when the execution is complete.
 *
 * Where the axioms hold in sequentially consistent graphs, and their relations are made of po, rf,
 * co and fr, a graph is consistent unless the new event is on a cycle of those; then only events
 * on such cycles are in view.
 */
#include "model/cat_eval.h"
#include "model/hardware.h"

static bool prunes_hold(struct graph *g, const u16 *node, u32 n)
{
	struct cat_model *m = g->places->cat;
	struct cat_view *v = &m->view;
	bool holds = true;

	cat_view_open(v, g, &m->cat.map, node, n, g->matrix);
	cat_evaluate(v, &m->cat, &m->prunes);
	for (u32 i = 0; i < m->cat.naxioms && holds; i++)
		if (m->cat.axiom[i].when == CAT_PRUNES)
			holds = cat_holds(v, &m->cat, &m->prunes, &m->cat.axiom[i]);
	cat_view_close(v);
	return holds;
}

static bool cat_consistent(struct graph *g, u32 e, u32 r)
{
	const struct cat_model *m = g->places->cat;
	u16 node[MATRIX_EVENTS];
	u32 n;

	if (unlikely(!m) || !m->prunes.n)
		return true;
	if (!m->cat.bounded)
		return prunes_hold(g, NULL, 0);
	if (hardware_is_sc(g, e, r))
		return true;
	n = hardware_cycle_events(g, e, r, node);
	return prunes_hold(g, node, n);
}

u32 cat_violated(const struct graph *g)
{
	struct cat_model *m = g->places->cat;
	struct cat_view *v = &m->view;
	u32 i;

	cat_view_open(v, g, &m->cat.map, NULL, 0, g->matrix);
	cat_evaluate(v, &m->cat, &m->all);
	for (i = 0; i < m->cat.naxioms; i++)
		if (m->cat.axiom[i].kind == CAT_REQUIRED &&
			!cat_holds(v, &m->cat, &m->all, &m->cat.axiom[i]))
			break;
	cat_view_close(v);
	return i;
}

static bool cat_allows(const struct graph *g)
{
	return cat_violated(g) == g->places->cat->cat.naxioms;
}

static bool cat_completes(const struct graph *g)
{
	return !g->places->cat || !g->places->cat->has_end || cat_allows(g);
}

const struct model model_cat = {
	.id = MODEL_CAT,
	.has_orders = true,
	.has_clocks = true,
	.is_file = true,
	.max_events = MATRIX_EVENTS,
	.consistent = cat_consistent,
	.allows = cat_allows,
	.completes = cat_completes,
};
