/* SPDX-License-Identifier: ISC */
/*
 * sra.c - strong release-acquire: ra, and po, rf and co, and fr of kernel objects, have no cycle.
 *
 * Lahav, Giannarakis, Vafeiadis, "Taming release-acquire consistency", POPL 2016, section 3:
 * POWER's behaviour for programs compiled as release-acquire. All threads that overwrite stores to
 * different locations agree on their order: 2+2W, which ra allows, is forbidden.
 */
#include "model/acyclic.h"

#define EDGES (WALK_RFI | WALK_KERNEL_FR)

static bool sra_consistent(struct graph *g, u32 e, u32 r)
{
	return pieces_consistent(g, e, r) && walk_acyclic(g, e, r, EDGES, walk_po);
}

static u32 sra_after(struct graph *g, u32 e)
{
	return walk_from(g, e, EDGES, walk_po);
}

static bool allows(const struct graph *g)
{
	struct graph *walked = (struct graph *)g; /* only its scratch is written */

	if (!model_ra.allows(g))
		return false;
	for (u32 e = 1; e <= g->n; e++)
		if (g->event[e].flags & (E_WRITE | E_SC) && walk_returns(walked, e, EDGES, walk_po))
			return false;
	return true;
}

const struct model model_sra = {
	.id = MODEL_SRA,
	.is_drf_sc = true,
	.has_orders = true,
	.includes = 1 << MODEL_SC | 1 << MODEL_TSO,
	.consistent = sra_consistent,
	.allows = allows,
	.after = sra_after,
	.without_fr = true,
};
