/* SPDX-License-Identifier: ISC */
/* sc.c - sequential consistency: po, rf, co and fr have no cycle. */
#include "model/acyclic.h"

static bool sc_consistent(struct graph *g, u32 e, u32 r)
{
	return walk_acyclic(g, e, r, WALK_ALL, walk_po);
}

static u32 sc_after(struct graph *g, u32 e)
{
	return walk_from(g, e, WALK_ALL, walk_po);
}

const struct model model_sc = {
	.id = MODEL_SC,
	.buffers = BUFFERS_NONE,
	.is_drf_sc = true,
	.sc_accesses = SC_ACCESSES_ALL,
	.consistent = sc_consistent,
	.after = sc_after,
};
