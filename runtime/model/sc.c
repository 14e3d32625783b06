/* SPDX-License-Identifier: ISC */
/* sc.c - sequential consistency: po, rf, co and fr have no cycle. */
#include "model/acyclic.h"

static void po(struct walk *w, u32 e)
{
	walk_visit(w, w->g->event[e].po_next);
}

static bool is_consistent(struct graph *g, u32 e, u32 r)
{
	return !walk_returns(g, e, WALK_ALL, po) && !(r && walk_returns(g, r, WALK_ALL, po));
}

static u32 after(struct graph *g, u32 e)
{
	return walk_from(g, e, WALK_ALL, po);
}

const struct model model_sc = {
	.id = MODEL_SC,
	.buffers = BUFFERS_NONE,
	.consistent = is_consistent,
	.after = after,
};
