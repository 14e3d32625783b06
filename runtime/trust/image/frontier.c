/* SPDX-License-Identifier: ISC */
/* frontier.c - writing an image: of all remaining work, or of the lowest level. See frontier.h. */
#include "trust/image/frontier_image.h"
#include "trust/estimate.h"
#include "model/hardware/dependency.h"

/* --- writing --------------------------------------------------------------------------------- */

static struct {
	struct trust *x;
	u8 *to;
	size_t room, used;
	bool full;
	u32 nnodes;
	u32 nplaces;
	u32 node[CACHE_NODES]; /* in the image, parents first */
	bool has[CACHE_NODES];
	u16 place[PLACES_MAX];
	bool has_place[PLACES_MAX];
	u32 path[GRAPH_EVENTS + 2];
} out;

static void *room_for(size_t n)
{
	u8 *at = out.to + out.used;

	if (out.full || out.room - out.used < n) {
		out.full = true;
		return NULL;
	}
	out.used += n;
	return at;
}

static void add_frontier_place(u32 loc)
{
	u16 piece[PIECES_MAX];
	u32 n;

	if (!loc || out.has_place[loc])
		return;
	out.has_place[loc] = true;
	out.place[out.nplaces++] = (u16)loc;
	n = place_pieces(out.x->places, loc, piece);
	for (u32 i = 0; i < n; i++)
		add_frontier_place(piece[i]);
}

static void add_history(u32 node)
{
	const struct cache_node *of = out.x->cache.node;
	u32 n = 0;

	for (; node && !out.has[node]; node = of[node].parent)
		out.path[n++] = node;
	while (n) {
		node = out.path[--n];
		out.has[node] = true;
		out.node[out.nnodes++] = node;
		add_frontier_place(of[node].label.loc);
		add_frontier_place(label_second(&of[node].label));
	}
}

/* Add the current graph. */
static void add_graph(u32 base, u64 number)
{
	const struct graph *g = &out.x->graph;
	size_t size = sizeof(struct graph_head), whole = ALIGN(size) + ALIGN(graph_size(g));
	struct graph_head *h = room_for(whole);

	if (!h)
		return;
	*h = (struct graph_head){.size = whole, .number = number, .base = base};
	graph_save(g, (u8 *)h + ALIGN(size));
	for (u32 t = 0; t < g->nthreads; t++)
		add_history(g->thread[t].node);
	for (u32 e = 1; e <= g->n; e++) {
		add_history(g->event[e].node);
		add_frontier_place(g->event[e].loc);
	}
}

static void begin_image(struct trust *x, void *to, size_t room)
{
	BUG_ON(x->cache.max > CACHE_NODES);
	out.x = x;
	out.to = to;
	out.room = room;
	out.used = 0;
	out.full = false;
	out.nnodes = out.nplaces = 0;
	room_for(ALIGN(sizeof(struct head)));
}

static void put_nodes(void)
{
	const struct cache *c = &out.x->cache;
	struct image_node *n = room_for(out.nnodes * sizeof *n);

	for (u32 i = 0; n && i < out.nnodes; i++) {
		u32 id = out.node[i];
		const struct cache_node *from = &c->node[id];

		n[i] = (struct image_node){id, from->parent, from->key, from->label};
		if (id <= GRAPH_THREADS)
			n[i].key = id - cache_root(0);
		/* The receiver runs the program itself: the finding is the sender's, and the writes
		 * of an iteration must become known. */
		if (from->label.type == LABEL_FAIL || from->label.again)
			n[i].label = (struct label){.type = LABEL_UNKNOWN};
	}
}

static void put_frontier_places(void)
{
	const struct places *p = out.x->graph.places;
	struct image_place *to = room_for(out.nplaces * sizeof *to);

	for (u32 i = 0; to && i < out.nplaces; i++) {
		const struct place *from = &p->place[out.place[i]];

		to[i] = (struct image_place){
			from->addr, from->init, out.place[i], from->size, from->atomic, from->cuts,
			from->span, 0};
	}
}

static void put_dependencies(const struct dependency_table *from)
{
	u32 *first = room_for(from->n * sizeof *first);
	u16 *word = room_for(from->used * sizeof *word);

	if (!word)
		return;
	__builtin_memcpy(first, from->first, from->n * sizeof *first);
	__builtin_memcpy(word, from->word, from->used * sizeof *word);
}

static size_t end_image(bool reported, u32 ngraphs)
{
	const struct places *p = out.x->graph.places;
	struct head *h = (struct head *)out.to;
	const struct dependency_table *deps = p->hardware.table;
	size_t tables = out.used;
	u64(*wide)[2];

	put_nodes();
	put_frontier_places();
	wide = room_for(p->nwide * sizeof *wide);
	if (wide)
		__builtin_memcpy(wide, p->wide, p->nwide * sizeof *wide);
	if (deps)
		put_dependencies(deps);
	for (u32 i = 0; i < out.nnodes; i++)
		out.has[out.node[i]] = false;
	for (u32 i = 0; i < out.nplaces; i++)
		out.has_place[out.place[i]] = false;
	if (out.full)
		return 0;
	*h = (struct head){
		.magic = MAGIC,
		.shape = SHAPE,
		.model = out.x->graph.model->id,
		.lanes = out.x->graph.lanes,
		.ngraphs = ngraphs,
		.nnodes = out.nnodes,
		.nplaces = out.nplaces,
		.nwide = p->nwide,
		.ndeps = deps ? deps->n : 0,
		.deps_words = deps ? deps->used : 0,
		.reported = reported,
		.contended = p->contended,
		.pushes = out.x->pushes,
		.tables = tables,
		.size = out.used,
	};
	return out.used;
}

/* --- the choice of levels -------------------------------------------------------------------- */

/* The offset of the lowest level. */
static size_t lowest(const struct trust *x)
{
	size_t at = x->top;

	for (u32 i = 1; i < x->depth; i++)
		at = trust_level_at(x, at)->below;
	return at;
}

size_t frontier_export(struct trust *x, bool reported, void *to, size_t room)
{
	struct aside *aside = trust_put_aside(x);
	size_t at = x->depth ? lowest(x) : 0;

	if (!aside)
		return 0;
	begin_image(x, to, room);
	for (u32 i = 0; i < x->depth && !out.full; i++) {
		const struct saved_level *l = trust_level_at(x, at);

		graph_restore(&x->graph, (const u8 *)l + LEVEL_HEAD);
		add_graph(l->base, l->number);
		at += l->size;
	}
	trust_take_back(x, aside);
	add_graph(x->base, 0);
	return end_image(reported, x->depth + 1);
}

size_t frontier_export_below(struct trust *x, void *to, size_t room)
{
	begin_image(x, to, room);
	add_graph(x->graph.n, 0);
	return end_image(false, 1);
}

/*
 * A killed worker that explored this before gave levels away, the lowest first. Until the last of
 * them is on the stack, the levels below must not be given away, as they may contain it; from then
 * on, only those above it may.
 */
bool frontier_may_give(struct trust *x)
{
	size_t at = x->top;

	for (u32 i = 0; x->ngiven && i < x->depth; i++) {
		const struct saved_level *l = trust_level_at(x, at);

		if (l->number == x->given[x->ngiven - 1]) {
			x->depth = i;
			x->ngiven = 0;
		}
		at = l->below;
	}
	return !x->ngiven && x->depth;
}

size_t frontier_give(struct trust *x, void *to, size_t room, u64 *number)
{
	const struct saved_level *l;
	struct aside *aside;
	size_t size;

	if (!frontier_may_give(x))
		return 0;
	aside = trust_put_aside(x);
	if (!aside)
		return 0;
	l = trust_level_at(x, lowest(x));
	graph_restore(&x->graph, (const u8 *)l + LEVEL_HEAD);
	begin_image(x, to, room);
	add_graph(l->base, 0);
	trust_take_back(x, aside);
	size = end_image(true, 1);
	*number = l->number;
	if (size)
		x->depth--;
	return size;
}
