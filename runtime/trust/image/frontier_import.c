/* SPDX-License-Identifier: ISC */
/* frontier_import.c - reading an image: its structures are checked if it is foreign, and its
 * numbers become those of this process. See frontier.h. */
#include "trust/image/frontier_image.h"
#include "trust/estimate.h"
#include "trust/image/label_check.h"
#include "model/hardware/dependency.h"

#define NODES_LEFT 8192 /* threads that must be free for a foreign image */
#define WIDE_NONE UINT64_MAX /* not stored yet */

static struct {
	struct trust *x;
	bool foreign; /* check everything */
	const u8 *from;
	const struct head *head;
	const struct image_node *node;
	const struct image_place *place;
	const u64 (*wide)[2];
	const u32 *deps_first;
	const u16 *deps_word;
	const char *wrong; /* about values of 16 bytes, and dependencies */
	u32 local[CACHE_NODES]; /* of the sender's numbers; 0: not in the image */
	u16 local_place[PLACES_MAX];
	u64 local_wide[WIDE_MAX];
	u16 local_deps[DEPENDENCY_RECORDS]; /* 0: not known yet */
	struct gplace gplace[PLACES_MAX];
} in;

static const char damaged[] = "it is damaged";

static u64 local_wide(u64 value)
{
	struct places *to = in.x->graph.places;

	if (!value)
		return 0;
	if (value >= in.head->nwide) {
		in.wrong = damaged;
		return 0;
	}
	if (in.local_wide[value] == WIDE_NONE) {
		if (to->nwide + 1 >= to->maxwide) {
			in.wrong = "there are too many values of 16 bytes";
			return 0;
		}
		in.local_wide[value] = wide_intern(to, in.wide[value][0], in.wide[value][1]);
	}
	return in.local_wide[value];
}

static u16 local_dependencies(u16 record)
{
	struct dependency_table *to = in.x->graph.places->hardware.table;
	const u16 *set[DEPENDENCY_KINDS], *size;
	size_t at;

	if (!record || (record < in.head->ndeps && in.local_deps[record]))
		return record ? in.local_deps[record] : 0;
	at = record < in.head->ndeps ? in.deps_first[record] : in.head->deps_words;
	size = in.deps_word + at;
	at += DEPENDENCY_KINDS;
	for (u32 k = 0; k < DEPENDENCY_KINDS && at <= in.head->deps_words; at += size[k++])
		set[k] = in.deps_word + at;
	if (at > in.head->deps_words || !to) {
		in.wrong = damaged;
		return 0;
	}
	in.local_deps[record] = (u16)dependency_intern(to, set, size);
	if (to->n == DEPENDENCY_RECORDS)
		in.wrong = "there are too many sets of dependencies";
	return in.local_deps[record];
}

static u64 local_value(u32 size, u64 value)
{
	return size == 16 ? local_wide(value) : value;
}

/* The key of a node's child: ~value after a spurious failure of a weak CAS. */
static u64 local_key(u32 size, u64 key)
{
	return size == 16 && key && key >= in.head->nwide ? ~local_wide(~key)
							  : local_value(size, key);
}

static const char *open_image(struct trust *x, const void *from, size_t size)
{
	const struct head *h = from;
	size_t tables;

	if (size < ALIGN(sizeof *h) || h->magic != MAGIC || h->size > size || (uintptr_t)from % 64)
		return damaged;
	if (h->shape != SHAPE)
		return "it was made by another version";
	if (h->model != (u32)x->graph.model->id)
		return "it was made under another model";
	tables = h->nnodes * sizeof *in.node + h->nplaces * sizeof *in.place +
		 h->nwide * sizeof *in.wide + h->ndeps * sizeof *in.deps_first +
		 h->deps_words * sizeof *in.deps_word;
	if (h->tables > size || tables > size - h->tables || !h->ngraphs)
		return damaged;
	if (h->ndeps > DEPENDENCY_RECORDS || h->deps_words > DEPENDENCY_WORDS)
		return damaged;
	if (h->nnodes > CACHE_NODES || h->nplaces > PLACES_MAX || h->nwide > WIDE_MAX ||
		h->tables % 64)
		return damaged;
	if (!h->lanes || h->lanes % CLOCK_LANES || h->lanes > GRAPH_THREADS)
		return damaged;
	in.x = x;
	in.from = from;
	in.head = h;
	in.node = (const void *)(in.from + h->tables);
	in.place = (const void *)(in.node + h->nnodes);
	in.wide = (const void *)(in.place + h->nplaces);
	in.deps_first = (const void *)(in.wide + h->nwide);
	in.deps_word = (const void *)(in.deps_first + h->ndeps);
	in.wrong = NULL;
	__builtin_memset(in.local_deps, 0, h->ndeps * sizeof *in.local_deps);
	for (u32 i = 0; i < h->nwide; i++)
		in.local_wide[i] = WIDE_NONE;
	return NULL;
}

static const char *read_places(void)
{
	struct places *to = in.x->graph.places;

	for (u32 i = 0; i < in.head->nplaces; i++) {
		const struct image_place *p = &in.place[i];
		u32 loc;

		if (!p->id || p->id >= PLACES_MAX || (p->size > 8 && p->size != 16) ||
			p->cuts > 0xffff || p->atomic > 1 || in.head->contended > 1 ||
			(p->span && (p->size || in.foreign)))
			return damaged;
		loc = place_intern(to, p->addr, p->size, local_value(p->size, p->init));
		if (!loc)
			return "there are too many locations";
		to->place[loc].atomic |= p->atomic != 0;
		to->place[loc].cuts = (u16)p->cuts;
		to->place[loc].span = p->span;
		to->mixed |= p->cuts != 0;
		in.local_place[p->id] = (u16)loc;
	}
	to->contended |= in.head->contended != 0;
	in.x->graph.mixed = to->mixed;
	trust_know_pieces(in.x);
	for (u32 i = 0; i < in.head->nplaces; i++)
		if (!place_is_whole(to, in.local_place[in.place[i].id]))
			return damaged;
	return NULL;
}

/* Translate the label to our numbers; false: it has some that are not in the image. */
static bool local_label(struct label *l)
{
	if (label_second(l) && l->other) {
		if (l->other >= PLACES_MAX)
			return false;
		l->other = in.local_place[l->other];
		if (!l->other)
			return false;
	}
	if (l->loc) {
		if (l->loc >= PLACES_MAX)
			return false;
		l->loc = in.local_place[l->loc];
		if (!l->loc)
			return false;
	}
	l->value = local_value(l->size, l->value);
	l->expected = local_value(l->size, l->expected);
	l->deps = local_dependencies(l->deps);
	return true;
}

/* The number of a node in this process; 0 sets *wrong. */
static u32 local_node(const struct image_node *n, const char **wrong)
{
	struct cache *c = &in.x->cache;
	u32 id, parent;

	*wrong = damaged;
	if (n->id >= CACHE_NODES || n->parent >= CACHE_NODES ||
		(!n->parent && n->key >= GRAPH_THREADS))
		return 0;
	if (!n->parent)
		return in.foreign && (n->id != cache_root((u32)n->key) || n->key >= in.head->lanes)
			? 0 : cache_root((u32)n->key);
	parent = in.local[n->parent];
	if (in.foreign &&
		(!parent || n->id <= GRAPH_THREADS || c->node[parent].label.type == LABEL_UNKNOWN))
		return 0;
	*wrong = "it has too many labels";
	if (in.foreign && c->n + NODES_LEFT > c->max)
		return 0;
	id = cache_child(c, parent, local_key(c->node[parent].label.size, n->key));
	if (id && in.foreign)
		label_check_node(in.x, id);
	return id;
}

static const char *read_node(const struct image_node *n)
{
	const char *wrong;
	struct label l = n->label, *known;
	u32 id = local_node(n, &wrong);

	if (!id)
		return wrong;
	in.local[n->id] = id;
	if (l.type == LABEL_UNKNOWN)
		return NULL;
	if (!local_label(&l) || (in.foreign && !label_check_label(in.x, id, &l)))
		return damaged;
	known = &in.x->cache.node[id].label;
	if (known->type != LABEL_UNKNOWN)
		return label_equal(known, &l) ? NULL
					      : "the program is another one, or not deterministic";
	*known = l;
	in.x->returns |= l.type == LABEL_END && l.value;
	in.x->inits |= label_is_init(&l);
	return NULL;
}

static const char *read_nodes(void)
{
	const char *wrong = NULL;

	if (in.foreign)
		label_check_begin(in.x);
	for (u32 i = 0; i < in.head->nnodes && !wrong; i++)
		wrong = read_node(&in.node[i]);
	if (in.foreign)
		label_check_end(in.x);
	return wrong ? wrong : in.wrong;
}

/* Are all numbers that make_local() follows in the restored graph valid? */
static bool can_be_local(const struct graph *g)
{
	for (u32 t = 0; t < g->nthreads; t++)
		if (g->thread[t].node >= CACHE_NODES)
			return false;
	for (u32 i = 1; i <= g->n; i++)
		if (g->event[i].node >= CACHE_NODES || g->event[i].loc >= PLACES_MAX ||
			(g->event[i].loc && !in.local_place[g->event[i].loc]))
			return false;
	return true;
}

/* Translate the restored graph from the sender's numbers to ours. */
static void make_local(struct trust *x)
{
	struct graph *g = &x->graph;
	u32 nplaces = g->nplaces;

	__builtin_memcpy(in.gplace, g->place, nplaces * sizeof *g->place);
	g->nplaces = 1;
	for (u32 i = 0; i < in.head->nplaces; i++) {
		u32 id = in.place[i].id;

		if (id >= nplaces)
			continue;
		graph_know_place(g, in.local_place[id]);
		g->place[in.local_place[id]] = in.gplace[id];
	}
	for (u32 t = 0; t < g->nthreads; t++)
		g->thread[t].node = in.local[g->thread[t].node];
	for (u32 i = 1; i <= g->n; i++) {
		struct gevent *e = &g->event[i];

		e->node = in.local[e->node];
		e->loc = e->loc ? in.local_place[e->loc] : 0;
		e->value = e->loc ? local_value(g->places->place[e->loc].size, e->value) : e->value;
		if (e->type != LABEL_ARRIVE && e->type != LABEL_LEAVE)
			e->deps = local_dependencies(e->deps);
		e->stamp = ++x->stamp;
	}
}

/* Whether there is a graph at `at`, behind the level with the number before, that can be
 * restored. */
static bool foreign_graph(const struct trust *x, const u8 *at, bool first)
{
	const struct graph_head *h = (const void *)at;
	size_t left = in.head->tables - (size_t)(at - in.from), head = ALIGN(sizeof *h);

	if ((size_t)(at - in.from) > in.head->tables || left < head)
		return false;
	return h->size % 64 == 0 && h->size > head && h->size <= left &&
	       (first || h->number >= x->pushes) && h->number < TRUST_ANY &&
	       graph_restorable(&x->graph, at + head, h->size - head);
}

static const char *import_graph(struct trust *x, const u8 *at)
{
	const struct graph_head *h = (const void *)at;
	const char *wrong = NULL;

	graph_restore(&x->graph, at + ALIGN(sizeof *h));
	if (in.foreign && !can_be_local(&x->graph))
		return damaged;
	make_local(x);
	x->base = h->base;
	if (in.wrong || !in.foreign)
		return in.wrong;
	wrong = trust_wrong(x);
	if (!wrong && !area_has(&x->area, LEVEL_HEAD + 4 * graph_size(&x->graph)))
		wrong = damaged;
	return wrong ? damaged : NULL;
}

static const char *read_graphs(struct trust *x)
{
	const u8 *at = in.from + ALIGN(sizeof *in.head);

	for (u32 i = 0; i < in.head->ngraphs; i++) {
		const struct graph_head *h = (const void *)at;
		bool last = i + 1 == in.head->ngraphs;
		const char *wrong;

		if (in.foreign && !foreign_graph(x, at, !i || last))
			return damaged;
		wrong = import_graph(x, at);
		if (wrong)
			return wrong;
		if (!last) {
			x->pushes = h->number;
			trust_push(x);
		}
		at += h->size;
	}
	return NULL;
}

/* The next image has other numbers. */
static void forget_numbers(void)
{
	for (u32 i = 0; i < in.head->nnodes; i++)
		if (in.node[i].id < CACHE_NODES)
			in.local[in.node[i].id] = 0;
	for (u32 i = 0; i < in.head->nplaces; i++)
		if (in.place[i].id < PLACES_MAX)
			in.local_place[in.place[i].id] = 0;
}

static const char *read_image(struct trust *x)
{
	const char *wrong = read_places();
	struct graph *g = &x->graph;

	x->depth = 0;
	area_clear(&x->area);
	x->top = 0;
	x->pushes = 0;
	if (!wrong)
		wrong = read_nodes();
	if (wrong)
		return wrong;
	if (g->lanes != in.head->lanes)
		graph_init(g, x->graph_memory, g->model, in.head->lanes, g->places);
	wrong = read_graphs(x);
	if (!wrong && in.foreign && in.head->pushes < x->pushes)
		wrong = damaged;
	if (wrong)
		trust_clear(x);
	return wrong;
}

const char *frontier_import(struct trust *x, const void *from, size_t size, bool foreign)
{
	const char *wrong = open_image(x, from, size);

	if (wrong)
		return wrong;
	in.foreign = foreign;
	wrong = read_image(x);
	forget_numbers();
	if (wrong)
		return wrong;
	for (u32 i = 0; x->estimate && i <= ESTIMATE_EVENTS; i++)
		x->estimate->began[i] = ESTIMATE_NONE;
	x->pushes = in.head->pushes;
	x->reported = in.head->reported;
	x->halves = x->updates = true;
	x->over = false;
	return NULL;
}
