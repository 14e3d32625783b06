/* SPDX-License-Identifier: ISC */
/*
 * trust_sound.c - invariants of the current graph between two steps of an exploration, and of its
 * threads' nodes in the cache; also required of graphs from a file (frontier.c).
 */
#include "trust/trust_priv.h"
#include "trust/trust_pieces.h"

/* If the condition fails, its text is returned. */
#define NEEDS(condition) \
	do { \
		if (unlikely(!(condition))) \
			return #condition; \
	} while (0)

/* --- events and their labels ------------------------------------------------------------------ */

static const char *wrong_read(const struct trust *x, u32 e, const struct label *l)
{
	const struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[e], *next = &g->event[graph_after_half(g, e)];
	bool excl = ev->flags & E_EXCL, waits = ev->flags & E_WAIT, rare = ev->flags & E_RARE;
	bool piece = ev->flags & E_PIECE,
	     last = graph_half_last(g, e) == g->thread[ev->thread].last;
	u16 open = E_WAIT | E_RARE | E_PIECE | (l->type == LABEL_SYNC ? E_ACQUIRE : 0);
	u64 value = piece ? graph_access_value(g, e, l->loc) : ev->value;
	struct effect f = effect_of(l, ev->thread, value, rare);
	u16 flags = graph_read_flags(g->model, l, excl);

	if (piece && !excl && (pieces_partial(x, e) || pieces_hung_by_order(g, e)))
		flags &= graph_read_flags(g->model, l, true);
	NEEDS(label_reads(l));
	NEEDS(!((ev->flags ^ flags) & ~open));
	NEEDS(!rare || (l->type == LABEL_CAS && l->flags & LABEL_WEAK) ||
		(l->type == LABEL_SYNC && object_op_has(l->op, OP_INIT)));
	NEEDS(!waits || (!excl && !rare && l->type != LABEL_PLAIN_READ));
	NEEDS(waits || (f.ready && f.excl == excl) ||
		(piece && !excl && (pieces_partial(x, e) || pieces_hung_by_order(g, e))));
	NEEDS(!excl || last || (next->flags & E_EXCL && next->flags & E_WRITE));
	return NULL;
}

static const char *wrong_write(const struct trust *x, u32 e, const struct label *l)
{
	const struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[e], *read = &g->event[graph_read_of(g, e)];
	bool excl = ev->flags & E_EXCL;
	u16 open = E_PIECE | (excl && l->type == LABEL_SYNC ? E_RELEASE : 0);

	NEEDS(excl ? l->type == LABEL_RMW || l->type == LABEL_CAS || l->type == LABEL_SYNC
		   : l->type == LABEL_WRITE || l->type == LABEL_PLAIN_WRITE);
	NEEDS(!((ev->flags ^ graph_write_flags(g->model, l, excl)) & ~open));
	if (!excl || l->type == LABEL_CAS)
		NEEDS(ev->value == place_split(g->places, l->loc, ev->loc, l->value));
	if (!excl)
		return NULL;
	NEEDS(ev->po_prev && read->flags & E_READ && read->flags & E_EXCL &&
		read->node == ev->node);
	if (l->type == LABEL_SYNC)
		NEEDS(ev->value == object_step(l->op, l->value, ev->thread, read->value).next);
	return NULL;
}

static const char *wrong_other(const struct trust *x, u32 e, const struct label *l)
{
	const struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[e];

	NEEDS(!label_reads(l) && l->type != LABEL_WRITE && l->type != LABEL_PLAIN_WRITE);
	NEEDS(ev->flags == graph_other_flags(g->model, l));
	switch (l->type) {
	case LABEL_CREATE:
		NEEDS(l->other && ev->value == l->other && l->other < g->nthreads &&
			g->thread[l->other].create == e);
		break;
	case LABEL_START:
		NEEDS(!ev->po_prev);
		break;
	case LABEL_JOIN:
		NEEDS(ev->rf && g->event[ev->rf].thread == l->other);
		break;
	case LABEL_ARRIVE:
		NEEDS(ev->value == trust_barrier_overflow(x, e));
		break;
	case LABEL_LEAVE:
		NEEDS(ev->po_prev && g->event[ev->po_prev].type == LABEL_ARRIVE);
		break;
	case LABEL_CHOOSE:
		NEEDS(ev->value < trust_choices(x, e));
		break;
	case LABEL_CLOCK:
		NEEDS(ev->value >= l->value);
		break;
	case LABEL_UNKNOWN:
	case LABEL_BLOCK:
	case LABEL_SPIN:
	case LABEL_FAIL: return "an event";
	}
	return NULL;
}

static const char *wrong_time(const struct trust *x, u32 e, const struct label *l)
{
	const struct gevent *ev = &x->graph.event[e];
	const struct label time = {.type = LABEL_TIME};

	NEEDS(l->type == LABEL_TIME || (label_deadline(l) && !ev->loc));
	NEEDS(!ev->loc && ev->value >= label_deadline(l));
	NEEDS(ev->flags == graph_other_flags(x->graph.model, &time));
	return NULL;
}

/* Does the access have one event for each of its locations, in their order? */
static const char *wrong_pieces(const struct trust *x, u32 e, const struct label *l)
{
	const struct graph *g = &x->graph;
	u32 n, i = g->event[e].index - g->event[graph_half_first(g, e)].index;
	u16 piece[PIECES_MAX];

	NEEDS(label_has_pieces(l) == (x->places->place[l->loc].cuts != 0));
	n = place_pieces(x->places, l->loc, piece);
	NEEDS(i < n && g->event[e].loc == piece[i]);
	NEEDS(g->event[e].flags & E_READ || !label_has_pieces(l) ||
		graph_half_last(g, e) - graph_half_first(g, e) == n - 1);
	return NULL;
}

static const char *wrong_event(const struct trust *x, u32 e)
{
	const struct gevent *ev = &x->graph.event[e];
	const struct label *l;

	NEEDS(ev->node && ev->node < x->cache.n);
	l = trust_label(x, e);
	if (ev->type == LABEL_TIME)
		return wrong_time(x, e, l);
	NEEDS(l->type == ev->type && label_has_pieces(l) == !!(ev->flags & E_PIECE));
	NEEDS(l->op == ev->op);
	NEEDS(l->deps == ev->deps || ev->type == LABEL_ARRIVE || ev->type == LABEL_LEAVE);
	NEEDS(label_has_pieces(l) ? !wrong_pieces(x, e, l) : l->loc == ev->loc);
	NEEDS(!ev->loc || x->places->place[ev->loc].size != 16 || ev->value < x->places->nwide ||
		!ev->value);
	if (ev->flags & E_READ)
		return wrong_read(x, e, l);
	return ev->flags & E_WRITE ? wrong_write(x, e, l) : wrong_other(x, e, l);
}

/* The choices tried at an event that may be removed. */
static const char *wrong_tried(const struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[e],
			    *at = &g->event[ev->cursor <= g->n ? ev->cursor : 0];

	NEEDS(ev->state <= STATE_HANGS);
	if (ev->flags & E_READ) {
		NEEDS(ev->cursor <= g->n);
		NEEDS(!ev->cursor || ev->state == STATE_HANGS ||
			(at->flags & E_WRITE && at->loc == ev->loc));
	} else if (ev->flags & E_WRITE && ev->state == STATE_PLACES) {
		NEEDS(ev->cursor && ev->cursor < e);
		NEEDS(at->flags & E_READ && !(at->flags & E_PLAIN) && at->rf <= e &&
			at->rf >= graph_half_first(g, e));
	} else if (ev->flags & E_WRITE && ev->state == STATE_REVISITS) {
		NEEDS(ev->cursor < e);
	}
	return NULL;
}

/* --- states of threads ---------------------------------------------------------------------- */

/* Is `node` the successor of e's thread after e? */
static const char *wrong_behind(const struct trust *x, u32 e, u32 node)
{
	const struct gevent *last = &x->graph.event[e];
	const struct cache_node *n = &x->cache.node[node];
	bool half = (last->flags & (E_READ | E_EXCL)) == (E_READ | E_EXCL) && node == last->node;
	bool part = last->flags & E_PIECE && node == last->node;

	NEEDS(node && node < x->cache.n);
	if (last->flags & E_WAIT || half || part) /* still there; its write is to come */
		NEEDS(node == last->node || n->parent == last->node);
	else
		NEEDS(n->parent == last->node);
	return NULL;
}

static const char *wrong_place(const struct trust *x, u32 t)
{
	const struct gthread *th = &x->graph.thread[t];
	const struct graph *g = &x->graph;

	if (th->last) {
		NEEDS(g->event[th->first].node == cache_root(t));
		return wrong_behind(x, th->last, th->node);
	}
	NEEDS(!graph_has_thread(g, t) || th->node == cache_root(t));
	return NULL;
}

static const char *wrong_step(const struct trust *x, u32 e)
{
	const struct gevent *ev = &x->graph.event[e];

	if (!ev->po_prev)
		return NULL;
	if (ev->flags & E_EXCL && ev->flags & E_WRITE)
		NEEDS(ev->node == x->graph.event[ev->po_prev].node);
	else
		return wrong_behind(x, ev->po_prev, ev->node);
	return NULL;
}

const char *trust_wrong(struct trust *x)
{
	const char *wrong = graph_wrong(&x->graph);

	for (u32 e = 1; e <= x->graph.n && !wrong; e++)
		wrong = wrong_event(x, e);
	for (u32 e = 1; e <= x->graph.n && !wrong; e++)
		wrong = wrong_step(x, e);
	for (u32 t = 0; t < x->graph.nthreads && !wrong; t++)
		wrong = wrong_place(x, t);
	if (!wrong && x->base > x->graph.n)
		wrong = "base";
	for (u32 e = x->base + 1; e <= x->graph.n && !wrong; e++)
		wrong = wrong_tried(x, e);
	return wrong;
}
