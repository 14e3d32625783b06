/* SPDX-License-Identifier: ISC */
/*
 * tso.c - total store order: ppo, rf from other threads, co and fr have no cycle.
 *
 * ppo is po without the pairs of a store and a later load, unless a full barrier is between them,
 * or one of them is one: Kokologiannakis 2023 (graph.h), 3.6.2, where the write of an RMW must be
 * one on its left side, too.
 */
#include "model/acyclic.h"

static void tso_ppo(struct acyclic_walk *w, u32 e)
{
	const struct gevent *event = w->g->event;
	u32 y = event[e].po_next;

	if (!walk_in_order(&event[e])) {
		while (y && !(event[y].flags & (E_WRITE | E_FULL)))
			y = event[y].po_next;
	} else {
		/* A store is not ordered before later loads. */
		for (; y && !walk_in_order(&event[y]); y = event[y].po_next)
			walk_visit(w, y);
	}
	walk_visit(w, y);
}

static bool tso_consistent(struct graph *g, u32 e, u32 r)
{
	return walk_acyclic(g, e, r, WALK_FR | WALK_WAITS, tso_ppo);
}

static u32 tso_after(struct graph *g, u32 e)
{
	return walk_from(g, e, WALK_FR | WALK_WAITS, tso_ppo);
}

const struct model model_tso = {
	.id = MODEL_TSO,
	.buffers = BUFFERS_FIFO,
	.is_drf_sc = true,
	.sc_accesses = SC_ACCESSES_SEQ_CST,
	.includes = 1 << MODEL_SC,
	.consistent = tso_consistent,
	.after = tso_after,
	.language = "X86",
};
