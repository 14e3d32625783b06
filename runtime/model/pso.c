/* SPDX-License-Identifier: ISC */
/*
 * pso.c - partial store order: like TSO, but stores to different locations are not ordered either.
 *
 * A store is ordered before a later store by a store fence between them; a release store has one
 * before it (graph_write_flags()).
 */
#include "model/acyclic.h"

static void pso_ppo(struct acyclic_walk *w, u32 e)
{
	const struct gevent *event = w->g->event;
	u32 y = event[e].po_next;
	bool fenced = false;

	if (walk_in_order(&event[e])) {
		/* A store is not ordered before later events. */
		for (; y && !walk_in_order(&event[y]); y = event[y].po_next)
			walk_visit(w, y);
		walk_visit(w, y);
		return;
	}
	for (; y; y = event[y].po_next) {
		fenced |= event[y].flags & E_STORES;
		if (event[y].flags & E_FULL || (fenced && event[y].flags & E_WRITE))
			walk_visit(w, y);
		if (event[y].flags & (E_FULL | E_FULL_AFTER))
			break;
	}
}

static bool pso_consistent(struct graph *g, u32 e, u32 r)
{
	return walk_acyclic(g, e, r, WALK_FR | WALK_WAITS, pso_ppo);
}

static u32 pso_after(struct graph *g, u32 e)
{
	return walk_from(g, e, WALK_FR | WALK_WAITS, pso_ppo);
}

const struct model model_pso = {
	.id = MODEL_PSO,
	.buffers = BUFFERS_BY_LOCATION,
	.is_drf_sc = true,
	.sc_accesses = SC_ACCESSES_SEQ_CST,
	.has_clocks = true,
	.has_store_fences = true,
	.includes = 1 << MODEL_SC | 1 << MODEL_TSO,
	.consistent = pso_consistent,
	.after = pso_after,
};
