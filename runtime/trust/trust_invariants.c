/* SPDX-License-Identifier: ISC */
/*
 * trust_invariants.c - invariants of an exploration between two steps (make TINY=1): of the current
 * graph (trust_sound.c), and of the saved graphs.
 */
#include "trust/trust.h"

/* Saved graphs are contiguous, up to the end of the used memory. */
static void check_levels(const struct trust *x)
{
	size_t end = x->stack_used, at = x->stack_top;
	u64 number = x->pushes;

	BUG_ON(x->base > x->graph.n || end > x->stack_size);
	for (u32 i = 0; i < x->depth; i++) {
		const struct level *l = (const struct level *)(x->stack + at);

		BUG_ON(at + l->size != end || l->number >= number || l->size < LEVEL_HEAD);
		number = l->number;
		end = at;
		at = l->below;
	}
}

void trust_check(struct trust *x)
{
	void *aside = x->stack + x->stack_used;
	const char *wrong = trust_wrong(x);

	if (wrong)
		stop_bug(__FILE__, __LINE__, wrong);
	graph_check_clocks(&x->graph);
	cache_check(&x->cache);
	check_levels(x);
	if (x->stack_used + 2 * graph_size(&x->graph) <= x->stack_size)
		graph_check_copy(&x->graph, aside);
}
