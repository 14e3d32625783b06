/* SPDX-License-Identifier: ISC */
/*
 * trust_invariants.c - what is always so of an exploration between two steps (make TINY=1): of the graph as it
 * stands (trust_sound.c), and of the saved graphs.
 */
#include "explore/graph.h"

/* Saved graphs lie one behind the other, to the end of what is used. */
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

/*
 * Do more threads arrive at a barrier than it is for? The program says so as soon as it comes to that (sync/barrier.c),
 * and the exploration is over; what the cache knew of it before may have put too many into a round.
 */
static bool is_crowded(const struct trust *x)
{
	const struct graph *g = &x->graph;

	for (u32 e = 1; e <= g->n; e++) {
		u64 n = 1;

		for (u32 i = g->event[e].loc_prev; i && g->event[e].type == LABEL_ARRIVE; i = g->event[i].loc_prev)
			n += g->event[i].type == LABEL_ARRIVE && g->event[i].round == g->event[e].round;
		if (g->event[e].type == LABEL_ARRIVE && n > trust_label(x, e)->value)
			return true;
	}
	return false;
}

void trust_check(struct trust *x)
{
	void *aside = x->stack + x->stack_used;
	const char *wrong = is_crowded(x) ? NULL : trust_wrong(x);

	if (wrong)
		stop_bug(__FILE__, __LINE__, wrong);
	graph_check_clocks(&x->graph);
	cache_check(&x->cache);
	check_levels(x);
	if (x->stack_used + 2 * graph_size(&x->graph) <= x->stack_size)
		graph_check_copy(&x->graph, aside);
}
