/* SPDX-License-Identifier: ISC */
/*
 * co_solver.c - see co_solver.h.
 *
 * The units of order are *blocks*: a write with the RMWs that read from it, directly or through
 * each other, in that order; those of the initial write come before all. Happens-before orders some
 * blocks under every model; RA requires no more. For the others:
 *
 *     The current co is checked as a whole. If it is not consistent, there is a cycle, of po, rf,
 *     co and fr or of psc. Every part of the cycle that depends on co comes from a pair of blocks,
 *     a before b; with the same reads-from, any co that has a before b in all of these pairs has
 *     that cycle. So at least one pair must be reversed: try each, with those before it unchanged.
 *     A pair ordered by happens-before cannot be reversed; when no pair is left, there is no such
 *     co.
 *
 * This ends, as no pair is reversed twice on a path, and is exact, as the attempts cover all
 * orders; beyond the limits below, the question is left undecided. Orders change as little as
 * possible: reversing a pair moves a block, and its required predecessors, to before the other
 * one; so the result is usually close to the last consistent order.
 */
#include "model/co_solver.h"
#include "model/acyclic.h"
#include "base/arena.h"

#define DECISIONS_MAX (1u << 16)
#define PAIRS_MAX     (1u << 20)
#define FRAMES_MAX    (1u << 16)
#define EDGES_MAX     (1u << 22)

/* An order that failed: pair[first..end) are the reasons, `next` is the next one to be reversed. */
struct co_solver_frame {
	u32 first, end, next, ndecisions;
};

static size_t lay_out_solver(struct co_solver *c, u8 *memory)
{
	u8 *at = memory;

	c->decision = arena_carve(&at, DECISIONS_MAX * sizeof *c->decision);
	c->pair = arena_carve(&at, PAIRS_MAX * sizeof *c->pair);
	c->frame = arena_carve(&at, FRAMES_MAX * sizeof *c->frame);
	c->old = arena_carve(&at, (GRAPH_EVENTS + 2 * PLACES_MAX) * sizeof *c->old);
	c->saved = arena_carve(&at, PLACES_MAX * sizeof *c->saved);
	c->inside = arena_carve(&at, (GRAPH_EVENTS + 1) * sizeof *c->inside);
	c->order = arena_carve(&at, (GRAPH_EVENTS + 1) * sizeof *c->order);
	c->edge = arena_carve(&at, EDGES_MAX * sizeof *c->edge);
	c->path = arena_carve(&at, (GRAPH_EVENTS + 1) * sizeof *c->path);
	c->before = arena_carve(&at, (GRAPH_EVENTS + 1) * sizeof *c->before);
	c->edges = arena_carve(&at, (GRAPH_EVENTS + 2) * sizeof *c->edges);
	c->state = arena_carve(&at, GRAPH_EVENTS + 1);
	return (size_t)(at - memory);
}

size_t co_solver_memory(void)
{
	struct co_solver c;

	return lay_out_solver(&c, NULL);
}

void co_solver_init(struct co_solver *c, void *memory)
{
	*c = (struct co_solver){.budget = 1 << 20};
	lay_out_solver(c, memory);
}

/* --- blocks ---------------------------------------------------------------------------------- */

/* The first write of w's block; 0: the block of the initial write. */
static u32 block_of(const struct graph *g, u32 w)
{
	while (w && g->event[w].flags & E_EXCL)
		w = g->event[w].co_prev;
	return w;
}

static u32 block_end(const struct graph *g, u32 w)
{
	u32 next;

	while ((next = g->event[w].co_next) && g->event[next].flags & E_EXCL)
		w = next;
	return w;
}

/* Is write a before write b in co? They differ. */
static bool co_orders(const struct graph *g, u32 a, u32 b)
{
	while (a && a != b)
		a = g->event[a].co_next;
	return a == b;
}

/* The order of the location, as it is before it is changed for the first time. */
static void save_order(struct co_solver *c, u32 loc)
{
	const struct graph *g = c->g;
	u32 at = c->nold;

	if (c->saved[loc] == c->question)
		return;
	c->saved[loc] = c->question;
	c->nold += 2;
	c->old[at] = (u16)loc;
	for (u32 w = g->place[loc].co_first; w; w = g->event[w].co_next)
		c->old[c->nold++] = (u16)w;
	c->old[at + 1] = (u16)(c->nold - at - 2);
}

/* Link w[0..n) in this order between the writes `before` and `after`. */
static void link_order(struct graph *g, u32 loc, u32 before, const u16 *w, u32 n, u32 after)
{
	for (u32 i = 0; i <= n; i++) {
		u32 next = i < n ? w[i] : after;

		if (before)
			g->event[before].co_next = (u16)next;
		else
			g->place[loc].co_first = (u16)next;
		if (next)
			g->event[next].co_prev = (u16)before;
		else
			g->place[loc].co_last = (u16)before;
		before = next;
	}
}

/* Always false. */
static bool restore_order(struct co_solver *c)
{
	for (u32 at = 0; at < c->nold; at += c->old[at + 1] + 2u)
		link_order(c->g, c->old[at], 0, &c->old[at + 2], c->old[at + 1], 0);
	return false;
}

/* --- moving a block -------------------------------------------------------------------------- */

/* The join of the clocks of all events and readers of the blocks that move. */
static void join_block(struct co_solver *c, u32 first, u32 end, u16 *clock)
{
	const struct graph *g = c->g;

	for (u32 w = first;; w = g->event[w].co_next) {
		c->inside[w] = c->move;
		clock_join(clock, graph_hb(g, w), g->lanes);
		for (u32 r = g->event[w].readers; r; r = g->event[r].reader_next)
			clock_join(clock, graph_hb(g, r), g->lanes);
		if (w == end)
			return;
	}
}

/* Must the block precede one that moves, which has this clock? */
static bool must_precede(const struct co_solver *c, u32 first, u32 end, const u16 *clock)
{
	const struct graph *g = c->g;

	for (u32 w = first;; w = g->event[w].co_next) {
		if (graph_known(g, clock, g->event[w].loc, w))
			return true;
		if (w == end)
			break;
	}
	for (u32 i = 0; i < c->ndecisions; i++) {
		if (c->inside[c->decision[i][1]] == c->move &&
			block_of(g, c->decision[i][0]) == first)
			return true;
	}
	return false;
}

/* Of the blocks from y's to x's, which is later, move x's and those that must precede it to the
 * front. */
static bool move_before(struct co_solver *c, u32 x, u32 y)
{
	struct graph *g = c->g;
	u16 clock[GRAPH_THREADS] __attribute__((aligned(16))) = {0};
	u32 loc = g->event[x].loc, start = block_of(g, y), first = block_of(g, x);
	u32 end = block_end(g, x), before, after = g->event[end].co_next, n = 0;

	c->move++;
	join_block(c, first, end, clock);
	while (first != start) {
		end = g->event[first].co_prev;
		first = block_of(g, end);
		if (!must_precede(c, first, end, clock))
			continue;
		if (first == start)
			return false;
		join_block(c, first, end, clock);
	}
	save_order(c, loc);
	before = g->event[start].co_prev;
	for (u32 w = start; w != after; w = g->event[w].co_next)
		if (c->inside[w] == c->move)
			c->order[n++] = (u16)w;
	for (u32 w = start; w != after; w = g->event[w].co_next)
		if (c->inside[w] != c->move)
			c->order[n++] = (u16)w;
	link_order(g, loc, before, c->order, n, after);
	return true;
}

/* Require the block of x before that of y. False: impossible. */
static bool decide(struct co_solver *c, u32 x, u32 y)
{
	const struct graph *g = c->g;
	u32 a = block_of(g, x), b = block_of(g, y);

	if (a == b || !b)
		return false;
	if (!a)
		return true;
	if (c->ndecisions == DECISIONS_MAX) {
		c->full = true;
		return false;
	}
	if (!co_orders(g, a, b) && !move_before(c, x, y))
		return false;
	c->decision[c->ndecisions][0] = (u16)x;
	c->decision[c->ndecisions++][1] = (u16)y;
	return true;
}

/* --- why an order is not consistent ---------------------------------------------------------- */

#define UNKNOWN UINT32_MAX /* no room for so many edges */

/* Some event on a cycle, 0, or UNKNOWN. Depth first: state 1 is on the path, 2 done. */
static u32 on_cycle(struct co_solver *c)
{
	const struct graph *g = c->g;
	u32 depth = 0, used = 0;

	__builtin_memset(c->state, 0, g->n + 1);
	for (u32 s = 1; s <= g->n; s++) {
		u32 e = s;

		while (!c->state[s] || depth) {
			if (!c->state[e]) {
				u32 n = g->model->after(c->g, e);

				if (used + n > EDGES_MAX)
					return UNKNOWN;
				c->state[e] = 1;
				c->path[depth] = (u16)e;
				c->edges[depth++] = used;
				__builtin_memcpy(c->edge + used, g->todo, n * sizeof *c->edge);
				used += n;
			}
			if (used > c->edges[depth - 1]) {
				e = c->edge[--used];
				if (c->state[e] == 1)
					return e;
				if (!c->state[e])
					continue;
			} else {
				c->state[c->path[--depth]] = 2;
			}
			e = depth ? c->path[depth - 1] : s;
		}
	}
	return 0;
}

/* The shortest cycle through e: c->path[0..n), from e on. Returns n. */
static u32 shortest_cycle(struct co_solver *c, u32 e)
{
	const struct graph *g = c->g;
	u32 n = 1, length = 1;

	__builtin_memset(c->state, 0, g->n + 1);
	c->order[0] = (u16)e;
	for (u32 k = 0; k < n; k++) {
		u32 from = c->order[k], m = c->g->model->after(c->g, from);

		for (u32 i = 0; i < m; i++) {
			u32 to = g->todo[i];

			if (to == e) {
				for (u32 v = from; v != e; v = c->before[v])
					length++;
				for (u32 v = from, at = length; at--; v = c->before[v])
					c->path[at] = (u16)v;
				return length;
			}
			if (c->state[to])
				continue;
			c->state[to] = 1;
			c->before[to] = (u16)from;
			c->order[n++] = (u16)to;
		}
	}
	BUG_ON(true);
}

/* Is the step from a to b one of co or fr? */
static bool is_co(const struct graph *g, u32 a, u32 b)
{
	const struct gevent *x = &g->event[a];

	if (x->flags & E_WRITE)
		return x->co_next == b;
	if (!(x->flags & E_READ) || (g->model->without_fr && !walk_is_kernel(x)))
		return false;
	return (x->rf ? g->event[x->rf].co_next : g->place[x->loc].co_first) == b;
}

static bool add_co_pair(struct co_solver *c, u32 a, u32 b)
{
	const struct graph *g = c->g;
	u32 block = block_of(g, a);

	if (!block || block == block_of(g, b))
		return true; /* there is no pair to reverse */
	if (c->npairs == PAIRS_MAX)
		return false;
	c->pair[c->npairs][0] = (u16)a;
	c->pair[c->npairs++][1] = (u16)b;
	return true;
}

/* The pairs that the cycle path[0..n) is made of. False: too many. */
static bool explain_cycle(struct co_solver *c, u32 n)
{
	const struct graph *g = c->g;
	u32 begin = 0;

	while (is_co(g, c->path[begin], c->path[(begin + 1) % n]))
		begin++; /* co has no cycle of its own */
	for (u32 i = 1; i < n; i++) {
		u32 from = c->path[(begin + i) % n], to = from;

		/* fr or co, and the co edges that follow */
		while (i < n && is_co(g, to, c->path[(begin + i + 1) % n])) {
			i++;
			to = c->path[(begin + i) % n];
		}
		if (to == from)
			continue;
		if (g->event[from].flags & E_READ)
			from = g->event[from].rf;
		if (!add_co_pair(c, from, to))
			return false;
	}
	return true;
}

enum violation { CONSISTENT, VIOLATED, TOO_MUCH };

/* Is the current co consistent? If not, c->pair[] gets the reasons. Blocks respect
 * happens-before. */
static enum violation check(struct co_solver *c)
{
	struct graph *g = c->g;
	u32 e, n, first = c->npairs;

	if (!g->model->after || ((g->model->cycle || g->model->needs_sc) && !g->nsc))
		return CONSISTENT;
	e = on_cycle(c);
	if (!e)
		return CONSISTENT;
	if (e == UNKNOWN)
		return TOO_MUCH;
	if (!g->model->cycle || !graph_has_weak(g))
		return explain_cycle(c, shortest_cycle(c, e)) ? VIOLATED : TOO_MUCH;
	if (PAIRS_MAX - first < GRAPH_SC_MAX)
		return TOO_MUCH;
	n = g->model->cycle(g, c->pair + first);
	if (n == MODEL_ACYCLIC)
		return CONSISTENT;
	for (u32 i = first; i < first + n; i++)
		add_co_pair(c, c->pair[i][0], c->pair[i][1]);
	return VIOLATED;
}

/* --- the search ------------------------------------------------------------------------------ */

/* Reverse the next pair of the last frame. */
static bool alternative(struct co_solver *c)
{
	struct co_solver_frame *f = &c->frame[c->nframes - 1];

	while (f->next < f->end) {
		u32 turned = f->next++;
		bool good = true;

		c->ndecisions = f->ndecisions;
		for (u32 i = f->first; i < turned && good; i++)
			good = decide(c, c->pair[i][0], c->pair[i][1]);
		if (good && decide(c, c->pair[turned][1], c->pair[turned][0]))
			return true;
	}
	return false;
}

static bool search(struct co_solver *c)
{
	u64 most = c->attempts + c->budget;

	c->searches++;
	c->npairs = c->nframes = 0;
	c->full = false;
	for (;;) {
		u32 first = c->npairs;
		enum violation v = check(c);

		if (v == CONSISTENT)
			return true;
		if (v == TOO_MUCH || c->nframes == FRAMES_MAX || c->attempts++ == most) {
			c->undecided = true;
			return false;
		}
		c->frame[c->nframes++] =
			(struct co_solver_frame){first, c->npairs, first, c->ndecisions};
		while (!alternative(c)) {
			c->npairs = c->frame[--c->nframes].first;
			if (!c->nframes) {
				c->undecided |= c->full;
				return false;
			}
		}
	}
}

/* --- questions ------------------------------------------------------------------------------- */

static void begin_question(struct co_solver *c, struct graph *g)
{
	c->g = g;
	if (!c->question++) { /* only here: without questions no memory is used */
		__builtin_memset(c->saved, 0, PLACES_MAX * sizeof *c->saved);
		__builtin_memset(c->inside, 0, (GRAPH_EVENTS + 1) * sizeof *c->inside);
	}
	c->ndecisions = c->nold = 0;
}

/* The writes that happen before e are not after its source. */
static bool put_known_before(struct co_solver *c, u32 e)
{
	struct graph *g = c->g;
	const struct gevent *ev = &g->event[e];
	const u16 *clock = graph_hb(g, ev->po_prev);
	u32 w = g->place[ev->loc].co_last;

	while (w != ev->rf) {
		u32 earlier = g->event[w].co_prev;

		if (graph_known(g, clock, ev->loc, w)) {
			if (!ev->rf || block_of(g, w) == block_of(g, ev->rf) ||
				!block_of(g, ev->rf) || !move_before(c, w, ev->rf))
				return false;
			earlier = g->place[ev->loc].co_last;
		}
		w = earlier;
	}
	return true;
}

bool co_solver_read(struct co_solver *c, struct graph *g, u32 e, u32 also)
{
	begin_question(c, g);
	if (!put_known_before(c, e))
		return restore_order(c);
	if (!c->nold && graph_consistent(g, also ? also : e, also ? e : 0))
		return true;
	return search(c) || restore_order(c);
}

bool co_solver_write(struct co_solver *c, struct graph *g, u32 e)
{
	begin_question(c, g);
	return graph_consistent(g, e, 0) || search(c) || restore_order(c);
}

/* Make the n writes the last ones. False: impossible. (At most two decisions a block: there is
 * room.) */
static bool put_co_last(struct co_solver *c, const u16 *w, u32 n)
{
	const struct graph *g = c->g;

	for (u32 i = 0; i < n; i++) {
		u32 loc = g->event[w[i]].loc, next;

		if (block_end(g, w[i]) != w[i])
			return false;
		while ((next = g->place[loc].co_last) != w[i])
			if (!decide(c, next, w[i]))
				return false;
		for (u32 b = g->place[loc].co_first; b != w[i]; b = g->event[b].co_next)
			if (block_of(g, b) == b && block_of(g, w[i]) != b && !decide(c, b, w[i]))
				return false;
	}
	return true;
}

bool co_solver_last(struct co_solver *c, struct graph *g, const u16 *w, u32 n)
{
	begin_question(c, g);
	if (!put_co_last(c, w, n))
		return restore_order(c);
	return !c->nold || search(c) || restore_order(c);
}

bool co_solver_sc(struct co_solver *c, struct graph *g, const u16 *w, u32 n)
{
	const struct model *model = g->model;
	bool undecided = c->undecided, yes;

	begin_question(c, g);
	g->model = &model_sc;
	yes = put_co_last(c, w, n) && search(c);
	g->model = model;
	c->undecided = undecided;
	return yes || restore_order(c);
}
