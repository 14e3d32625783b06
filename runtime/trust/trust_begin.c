/* SPDX-License-Identifier: ISC */
/* trust_begin.c - the beginning of an exploration: its memory, and its reductions. */
#include "trust/trust_priv.h"
#include "trust/trust_symmetry.h"

void trust_know_pieces(struct trust *x)
{
	x->rf &= !x->places->mixed;
	x->unrolls |= x->places->mixed; /* trust_again.c does not support pieces */
}

void trust_set_awaiting(struct trust *x)
{
	x->awaiting = x->reduces && x->awaits->waits && !x->awaits->all && !x->unrolls &&
		      !x->places->mixed && !x->clock;
}

void trust_begin(struct trust *x)
{
	struct graph *g = &x->graph;

	trust_know_pieces(x);
	x->clock = x->places->clock = x->awaits->time;
	x->rf &= !x->clock;
	x->late = x->polls->late;
	symmetry_begin(x);
	trust_set_awaiting(x);
	graph_init(g, x->graph_memory, g->model, g->lanes, g->places);
	g->nthreads = 1;
	g->thread[0].node = cache_root(0);
	cache_clear(&x->cache);
	x->complete = x->blocked = x->failing = 0;
	x->depth = x->base = 0;
	area_clear(&x->area);
	x->top = 0;
	x->aside = NULL;
	x->pushes = 0;
	x->reported = x->over = x->lockstep = false;
	x->answer = ANSWER_LABEL;
}

void trust_init(struct trust *x, void *memory, size_t size, enum model_id model, struct program *p)
{
	u8 *at = memory;
	size_t graph = graph_memory(GRAPH_THREADS, CLOCKS);

	*x = (struct trust){.program = p, .races = true};
	x->polls = &x->own_polls;
	x->awaits = &x->own_awaits;
	x->places = (struct places *)at;
	at += (sizeof *x->places + 63) & ~(size_t)63;
	x->places->place = (struct place *)at;
	at += PLACES_MAX * sizeof(struct place);
	x->places->wide = (u64(*)[2])at;
	x->places->maxwide = WIDE_MAX;
	at += WIDE_MAX * sizeof x->places->wide[0];
	x->cache.node = (struct cache_node *)at;
	x->cache.max = CACHE_NODES;
	at += CACHE_NODES * sizeof(struct cache_node);
	x->cache.moved = (u32 *)at;
	at += CACHE_NODES * sizeof(u32);
	x->cache.bucket = (u32 *)at;
	at += sizeof(u32) << CACHE_BUCKET_BITS;
	x->graph_memory = at;
	at += (graph + 63) & ~(size_t)63;
	co_solver_init(&x->coherence, at);
	at += co_solver_memory();
	at += -(uintptr_t)at % AREA_ALIGN;
	BUG_ON((size_t)(at - (u8 *)memory) > size / 2);
	x->area = (struct area){at, size - (size_t)(at - (u8 *)memory), 0};
	x->spare = area_cut(&x->area, graph);
	x->graph.model = model_of(model);
	x->graph.lanes = CLOCK_LANES;
	x->graph.places = x->places;
	symmetry_init(x);
	trust_begin(x);
}

const struct label *trust_next(struct trust *x, u32 t)
{
	return label_of(x, t);
}

void trust_clear(struct trust *x)
{
	trust_begin(x);
}
