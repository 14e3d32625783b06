/* SPDX-License-Identifier: ISC */
/*
 * trust_invariants.c - invariants of an exploration between two steps (make TINY=1): of the current
 * graph (trust_sound.c), and of the saved graphs.
 */
#include "trust/trust.h"

/* Saved graphs are contiguous, up to the end of the used memory. */
static void check_levels(const struct trust *x)
{
	size_t end = x->area.used, at = x->top;
	u64 number = x->pushes;

	BUG_ON(x->base > x->graph.n || end > x->area.size || x->aside);
	for (u32 i = 0; i < x->depth; i++) {
		const struct saved_level *l = trust_level_at(x, at);

		BUG_ON(at + l->size != end || l->number >= number || l->size < LEVEL_HEAD);
		number = l->number;
		end = at;
		at = l->below;
	}
}

void trust_check(struct trust *x)
{
	size_t two = 2 * graph_size(&x->graph);
	const char *wrong = trust_wrong(x);
	void *memory;

	if (wrong)
		stop_bug(__FILE__, __LINE__, wrong);
	graph_check_clocks(&x->graph);
	cache_check(&x->cache);
	check_levels(x);
	if (!area_has(&x->area, two))
		return;
	memory = area_take(&x->area, two);
	graph_check_copy(&x->graph, memory);
	area_give(&x->area, memory, two);
}
