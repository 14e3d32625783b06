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
 * on such cycles are in view. A graph that is too large for the memory of relations is left out.
 */
#include "model/file/cat_model.h"

#include "model/hardware/hardware.h"

void cat_model_prepare(struct cat_model *m)
{
	const struct cat *c = &m->cat;

	m->has_end = m->has_flags = m->too_large = false;
	for (u32 i = 0; i < c->naxioms; i++) {
		const struct cat_axiom *x = &c->axiom[i];

		m->has_end |= x->when == CAT_AT_END && x->kind == CAT_REQUIRED;
		m->has_flags |= x->kind == CAT_FLAG || x->kind == CAT_UNDEFINED;
	}
	cat_plan_make(&m->prefixes, c, CAT_FOR_PREFIXES);
	cat_plan_make(&m->whole, c, CAT_FOR_WHOLE);
	cat_plan_make(&m->flags, c, CAT_FOR_FLAGS);
	cat_plan_make(&m->explain, c, CAT_TO_EXPLAIN);
	for (u32 i = 0; i < m->whole.n; i++) {
		const struct cat_node *x = &c->node[m->whole.node[i]];

		m->cat.has_dependencies |=
			x->op == CAT_BASE &&
			(x->a == CAT_BASE_addr || x->a == CAT_BASE_data || x->a == CAT_BASE_ctrl);
	}
}

/* The view of node[], or of all events. False: it is too large for the plan's relations. */
static bool open_view(const struct graph *g, const struct cat_plan *p, const u16 *node, u32 n)
{
	struct cat_model *m = g->places->cat;

	if (cat_view_open(&m->view, g, &m->cat.map, node, n, g->matrix)) {
		if (cat_fits(p, m->view.frame.n))
			return true;
		cat_view_close(&m->view);
	}
	m->too_large = true;
	return false;
}

bool cat_model_view(struct cat_model *m, const struct graph *g, const struct cat_plan *p,
	const u8 *change)
{
	bool fits;

	m->view.change = change;
	fits = cat_view_open(&m->view, g, &m->cat.map, NULL, 0, g->matrix);
	m->view.change = NULL;
	if (fits && cat_fits(p, m->view.frame.n))
		return true;
	if (fits)
		cat_view_close(&m->view);
	return false;
}

#define TOO_LARGE UINT32_MAX

/* The first axiom of the plan that does not hold; the number of all axioms; or TOO_LARGE. */
static u32 first_broken(const struct graph *g, const struct cat_plan *p, const u16 *node, u32 n)
{
	struct cat_model *m = g->places->cat;
	struct cat_run run = {&m->view, &m->cat, p, 0, 0, NULL};
	u32 axiom;

	if (!open_view(g, p, node, n))
		return TOO_LARGE;
	axiom = cat_first_broken(&run);
	cat_view_close(&m->view);
	return axiom;
}

static bool cat_consistent(struct graph *g, u32 e, u32 r)
{
	const struct cat_model *m = g->places->cat;
	u16 *node = NULL;
	u32 n = 0;

	if (unlikely(!m) || !m->prefixes.naxioms)
		return true;
	if (m->cat.bounded) {
		if (hardware_is_sc(g, e, r))
			return true;
		node = g->cycle + (CYCLE_LISTS - 1) * (GRAPH_EVENTS + 1);
		n = hardware_cycle_events(g, e, r, node);
	}
	return first_broken(g, &m->prefixes, node, n) == m->cat.naxioms;
}

bool cat_shrinks(const struct graph *g)
{
	return g->places->cat && g->places->cat->cat.shrinks;
}

u32 cat_causes(const struct graph *g)
{
	return g->places->cat ? g->places->cat->cat.map.causes : CAUSES_NONE;
}

static bool cat_allows(const struct graph *g)
{
	u32 broken = first_broken(g, &g->places->cat->whole, NULL, 0);

	return broken == g->places->cat->cat.naxioms || broken == TOO_LARGE;
}

static bool cat_completes(const struct graph *g)
{
	const struct cat_model *m = g->places->cat;

	return !m || !m->has_end || first_broken(g, &m->whole, NULL, 0) == m->cat.naxioms;
}

bool cat_model_cas_picks(const struct model *m, const struct places *p)
{
	bool picks = m->is_file ? p->cat && p->cat->cat.map.cas_picks : m->cas_picks;

	return picks && !p->hardware.llsc;
}

bool cat_model_has_fence(const struct cat_model *m, u32 kind)
{
	return m && cat_map_has_fence(&m->cat.map, kind);
}

const struct model model_cat = {
	.id = MODEL_CAT,
	.has_orders = true,
	.has_clocks = true,
	.is_file = true,
	.consistent = cat_consistent,
	.allows = cat_allows,
	.completes = cat_completes,
};
