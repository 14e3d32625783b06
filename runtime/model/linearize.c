/* SPDX-License-Identifier: ISC */
/*
 * linearize.c - see linearize.h.
 *
 * A store that may be delayed is two nodes: its issue, in its thread's order, and its commit, when
 * other threads see it. With these edges
 *
 *     issue(e) -> issue(next in po)             issue(w) -> commit(w)
 *     commit(w) -> issue(r)                     r of another thread reads from w
 *     commit(w) -> commit(next in co)
 *     issue(r) -> commit(next in co after r's source)
 *     commit(w) -> commit(w')                   TSO: next store of the thread; PSO: those behind
 *                                               a store fence
 *     commit(w) -> issue(e)                     e is the next full barrier
 *
 * a topological order is a schedule: a read finds its source in memory, or still in its own buffer.
 * Linden: A. Linden, P. Wolper, SPIN 2010; the axioms are those of tso.c and pso.c.
 */
#include "model/linearize.h"
#include "model/pieces.h"

struct linear {
	const struct graph *g;
	enum model_id model;
	u32 n;	    /* nodes: 1..n issues, n+1..2n commits */
	u32 *needs; /* [2n + 1] edges that are not yet met; DONE = in the plan */
	u32 *todo;  /* [2n + 1] commits that may be done; cycles: a queue */
	u32 ntodo, first;
	u32 *from; /* cycles: where a node was reached from */
	u8 *rel;   /* cycles: and by which relation */
	u32 goal;
	u32 at;	   /* the node whose edges are being followed */
	u32 *next; /* [GRAPH_THREADS] the position of a thread */
};

#define DONE UINT32_MAX

size_t linearize_memory(const struct graph *g)
{
	size_t nodes = 2 * (size_t)g->n + 2;

	return nodes * (3 * sizeof(u32) + sizeof(u8)) + GRAPH_THREADS * sizeof(u32);
}

static void begin_linear(struct linear *l, const struct graph *g, enum model_id m, void *memory)
{
	size_t nodes = 2 * (size_t)g->n + 2;
	u32 *at = memory;

	*l = (struct linear){.g = g, .model = m, .n = g->n};
	l->needs = at;
	l->todo = at + nodes;
	l->from = at + 2 * nodes;
	l->next = at + 3 * nodes;
	l->rel = (u8 *)(l->next + GRAPH_THREADS);
	__builtin_memset(memory, 0, linearize_memory(g));
}

/* --- nodes ----------------------------------------------------------------------------------- */

/* Is e not a step of its own: a mark, the write of an RMW, a later piece of an access? */
static bool is_no_step(const struct graph *g, u32 e)
{
	const struct gevent *x = &g->event[e];

	return x->flags & E_WAIT || (x->flags & E_WRITE && x->flags & E_EXCL) ||
	       (unlikely(x->flags & E_PIECE) && graph_half_first(g, e) != e);
}

/* The event after e in its thread that is a separate step. */
static u32 step_after(const struct graph *g, u32 e)
{
	do
		e = g->event[e].po_next;
	while (e && is_no_step(g, e));
	return e;
}

static u32 first_step(const struct graph *g, u32 t)
{
	u32 e = g->thread[t].first;

	return e && is_no_step(g, e) ? step_after(g, e) : e;
}

/* The write that an RMW's read belongs to, or e itself if it is a write; 0: none. */
static u32 rmw_write(const struct graph *g, u32 e)
{
	if (g->event[e].flags & E_WRITE)
		return e;
	return g->event[e].flags & E_READ ? graph_write_of(g, e) : 0;
}

static bool is_delayed(const struct linear *l, u32 w)
{
	return l->model != MODEL_SC && !(l->g->event[w].flags & E_EXCL);
}

/* The node in which w reaches memory. */
static u32 commit_of(const struct linear *l, u32 w)
{
	u32 first = graph_half_first(l->g, w);

	if (is_delayed(l, w))
		return l->n + first;
	return l->g->event[w].flags & E_EXCL ? graph_read_of(l->g, first) : first;
}

/* --- edges ----------------------------------------------------------------------------------- */

typedef void (*edge_fn)(struct linear *l, u32 to, enum relation rel);

/* Must w leave the buffer before r, of the same thread, reads, because r's access is wider? */
static bool read_waits_for_store(const struct graph *g, u32 r)
{
	return unlikely(g->event[r].flags & E_PIECE) && !graph_reads_one(g, r);
}

static void edges_of_piece(struct linear *l, u32 w, edge_fn edge)
{
	const struct gevent *e = l->g->event, *x = &e[w];

	for (u32 r = x->readers; r; r = e[r].reader_next) {
		if (!(e[r].flags & E_WAIT) &&
			(e[r].thread != x->thread || !is_delayed(l, w) ||
				read_waits_for_store(l->g, r)))
			edge(l, graph_first(l->g, r), REL_RF);
	}
	if (x->co_next)
		edge(l, commit_of(l, x->co_next), REL_CO);
}

/* Observers of w: reads, except from their own buffer, and the next write. */
static void edges_of_write(struct linear *l, u32 w, edge_fn edge)
{
	for (u32 last = graph_half_last(l->g, w); w <= last; w++)
		edges_of_piece(l, w, edge);
}

/* Commits that the buffer orders after that of w. */
static void edges_of_buffer(struct linear *l, u32 w, edge_fn edge)
{
	const struct gevent *e = l->g->event;
	bool fenced = l->model == MODEL_TSO;
	u32 y;

	if (e[w].flags & E_FULL_AFTER) {
		y = step_after(l->g, w);
		if (y)
			edge(l, y, REL_PO);
		return;
	}
	for (y = step_after(l->g, w); y; y = step_after(l->g, y)) {
		fenced |= !!(e[y].flags & E_STORES);
		if (e[y].flags & E_FULL) {
			edge(l, y, REL_PO);
			return;
		}
		if (!(e[y].flags & E_WRITE))
			continue;
		if (fenced)
			edge(l, commit_of(l, y), REL_PO);
		if (l->model == MODEL_TSO)
			return;
	}
}

static void edges_of_read(struct linear *l, u32 r, edge_fn edge)
{
	const struct gevent *e = l->g->event;
	u32 end = graph_after_half(l->g, r);

	do {
		u32 w = e[r].rf ? e[e[r].rf].co_next : l->g->place[e[r].loc].co_first;

		if (w && w != rmw_write(l->g, r))
			edge(l, commit_of(l, w), REL_FR);
		r = e[r].po_next;
	} while (r != end);
}

/* Does r exceed the count of a barrier at which e arrived before? */
static bool crowds(const struct graph *g, u32 r, u32 e)
{
	return g->event[r].type == LABEL_ARRIVE && g->event[r].value && r > e && !g->event[e].value;
}

static void edges_of_issue(struct linear *l, u32 e, edge_fn edge)
{
	const struct graph *g = l->g;
	const struct gevent *x = &g->event[e];
	u32 w = rmw_write(g, e), y = step_after(g, e);

	if (y)
		edge(l, y, REL_PO);
	if (x->flags & E_READ)
		edges_of_read(l, e, edge);
	if (w && is_delayed(l, w))
		edge(l, commit_of(l, w), REL_PO);
	else if (w)
		edges_of_write(l, w, edge);
	if (x->type == LABEL_CREATE || x->type == LABEL_END) {
		for (u32 r = x->readers; r; r = g->event[r].reader_next)
			edge(l, r, REL_RF);
	}
	for (u32 r = x->type == LABEL_ARRIVE ? g->place[x->loc].reads : 0; r;
		r = g->event[r].loc_prev) {
		if ((g->event[r].type == LABEL_LEAVE && g->event[r].round == x->round) ||
			crowds(g, r, e))
			edge(l, r, REL_RF);
	}
}

/* Time passes when all its causes have happened and reached memory. */
static void edge_of_time(struct linear *l, u32 e, edge_fn edge)
{
	u32 time = graph_has_time(l->g) ? graph_time_after(l->g, e) : 0;

	if (time)
		edge(l, time, REL_RF);
}

static void visit_edges(struct linear *l, u32 node, edge_fn edge)
{
	l->at = node;
	edge_of_time(l, node <= l->n ? node : node - l->n, edge);
	if (node <= l->n) {
		edges_of_issue(l, node, edge);
		return;
	}
	edges_of_write(l, node - l->n, edge);
	edges_of_buffer(l, node - l->n, edge);
}

/* --- taking steps ---------------------------------------------------------------------------- */

static void count_need(struct linear *l, u32 to, enum relation rel)
{
	l->needs[to]++;
}

static void meet_need(struct linear *l, u32 to, enum relation rel)
{
	BUG_ON(!l->needs[to]);
	if (--l->needs[to] == 0 && to > l->n)
		l->todo[l->ntodo++] = to;
}

/* Returns how many nodes there are. */
static u32 count_needs(struct linear *l)
{
	const struct graph *g = l->g;
	u32 n = 0;

	for (u32 t = 0; t < g->nthreads; t++) {
		l->next[t] = first_step(g, t);
		for (u32 e = l->next[t]; e; e = step_after(g, e)) {
			visit_edges(l, e, count_need);
			n++;
			if (!(g->event[e].flags & E_WRITE) || !is_delayed(l, e))
				continue;
			visit_edges(l, commit_of(l, e), count_need);
			n++;
		}
	}
	return n;
}

static bool may_take_next(const struct linear *l, u32 t)
{
	return l->next[t] && !l->needs[l->next[t]];
}

/* The end of the main thread ends the process. */
static bool ends_all(const struct linear *l, u32 t)
{
	return t == 0 && l->g->event[l->next[0]].type == LABEL_END;
}

/* The next thread to step: the previous one if possible; `last` only if no other can. */
static u32 choose_thread(const struct linear *l, u32 now, u32 last)
{
	u32 n = l->g->nthreads, found = n;

	if (now < n && may_take_next(l, now) && !ends_all(l, now))
		return now;
	for (u32 t = 0; t < n; t++) {
		if (!may_take_next(l, t))
			continue;
		if (found == n || ends_all(l, found) || (found == last && !ends_all(l, t)))
			found = t;
	}
	return found;
}

static void take_node(struct linear *l, struct plan *p, u32 node)
{
	p->item[p->n++] = node > l->n ? (node - l->n) | PLAN_COMMIT : node;
	visit_edges(l, node, meet_need);
	l->needs[node] = DONE;
}

/* --- cycles ---------------------------------------------------------------------------------- */

static void reach_node(struct linear *l, u32 to, enum relation rel)
{
	if (l->needs[to] == DONE || (l->from[to] && to != l->goal) || l->from[l->goal])
		return;
	l->from[to] = l->at;
	l->rel[to] = (u8)rel;
	l->todo[l->ntodo++] = to;
}

/* A shortest way from the node back to itself; its length, 0 = none. */
static u32 way_back(struct linear *l, u32 node)
{
	u32 n = 0;

	__builtin_memset(l->from, 0, (2 * (size_t)l->n + 2) * sizeof *l->from);
	l->goal = node;
	l->ntodo = l->first = 0;
	l->todo[l->ntodo++] = node;
	while (l->first < l->ntodo && !l->from[node])
		visit_edges(l, l->todo[l->first++], reach_node);
	if (!l->from[node])
		return 0;
	for (u32 at = l->from[node]; at != node; at = l->from[at])
		n++;
	return n + 1;
}

static u32 event_of(const struct linear *l, u32 node)
{
	return node > l->n ? node - l->n : node;
}

/* Can two edges be shown as one: po after po, co after co or fr? The edge from a store to its own
 * commit is not shown. */
static bool joins(const struct edge *a, const struct edge *b)
{
	return (a->relation == REL_PO && b->relation == REL_PO) ||
	       ((a->relation == REL_CO || a->relation == REL_FR) && b->relation == REL_CO);
}

/* The way back to the node that was found, of which `from' has the edges, the last first. */
static void read_way(const struct linear *l, u32 node, struct cycle *c)
{
	u32 n = 0, at = node;

	do {
		u32 to = at;
		struct edge e;

		at = l->from[at];
		e = (struct edge){event_of(l, at), event_of(l, to), l->rel[to]};
		if (e.from == e.to)
			continue;
		if (n && joins(&e, &c->edge[n - 1])) {
			c->edge[n - 1].from = e.from;
			c->edge[n - 1].relation = e.relation;
		} else if (n == CYCLE_MAX) {
			return;
		} else {
			c->edge[n++] = e;
		}
	} while (at != node);
	for (u32 k = 0; k < n / 2; k++) {
		struct edge e = c->edge[k];

		c->edge[k] = c->edge[n - 1 - k];
		c->edge[n - 1 - k] = e;
	}
	if (n > 2 && joins(&c->edge[n - 1], &c->edge[0])) {
		c->edge[0].from = c->edge[n - 1].from;
		c->edge[0].relation = c->edge[n - 1].relation;
		n--;
	}
	c->n = n;
}

static void find_linear_cycle(struct linear *l, struct cycle *c)
{
	u32 best = 0, length = UINT32_MAX;

	c->n = 0;
	for (u32 node = 1; node <= 2 * l->n; node++) {
		u32 way;

		if (!l->needs[node] || l->needs[node] == DONE)
			continue;
		way = way_back(l, node);
		if (way && way < length) {
			length = way;
			best = node;
		}
	}
	if (!best)
		return;
	way_back(l, best);
	read_way(l, best, c);
}

bool linearize_plan(const struct graph *g, enum model_id m, u32 last, void *memory, struct plan *p,
	struct cycle *c)
{
	struct linear l;
	u32 t = last, n;

	begin_linear(&l, g, m, memory);
	n = count_needs(&l);
	p->n = 0;
	for (;;) {
		if (l.first < l.ntodo) {
			take_node(&l, p, l.todo[l.first++]);
			continue;
		}
		t = choose_thread(&l, t, last);
		if (t == g->nthreads)
			break;
		take_node(&l, p, l.next[t]);
		l.next[t] = step_after(g, l.next[t]);
	}
	if (p->n == n)
		return true;
	if (c)
		find_linear_cycle(&l, c);
	return false;
}

/* --- causal order ---------------------------------------------------------------------------- */

static bool is_performed(const struct linear *l, u32 e)
{
	return !e || l->needs[e] == DONE;
}

/* Have all events before the event of LABEL_TIME been performed? */
static bool has_time_come(const struct linear *l, u32 e)
{
	const struct gevent *event = l->g->event;
	const u16 *clock = graph_cause(l->g, e);

	for (u32 t = 0; t < l->g->nthreads; t++)
		if (t != event[e].thread && l->next[t] && event[l->next[t]].index <= clock[t])
			return false;
	return true;
}

/* Have its sources been performed? */
static bool sources_performed(const struct linear *l, u32 e)
{
	const struct gevent *event = l->g->event, *x = &event[e];
	u32 end = graph_after_half(l->g, e);

	for (u32 i = e; i != end && !(x->flags & E_WRITE); i = event[i].po_next) {
		if (!is_performed(l, graph_first(l->g, event[i].rf)))
			return false;
	}
	if (x->type == LABEL_TIME && !has_time_come(l, e))
		return false;
	for (u32 r = x->type == LABEL_LEAVE || x->type == LABEL_ARRIVE ? l->g->place[x->loc].reads
								       : 0;
		r; r = event[r].loc_prev) {
		bool needed =
			x->type == LABEL_ARRIVE ? crowds(l->g, e, r) : event[r].round == x->round;

		if (event[r].type == LABEL_ARRIVE && needed && !is_performed(l, r))
			return false;
	}
	return true;
}

/* Would it read the newest write, and its write be the last one? */
static bool piece_is_up_to_date(const struct linear *l, u32 e)
{
	const struct gevent *event = l->g->event;
	u32 w = rmw_write(l->g, e), newer = 0;

	if (w)
		newer = event[w].co_next;
	else if (event[e].flags & E_READ)
		newer = event[e].rf ? event[event[e].rf].co_next
				    : l->g->place[event[e].loc].co_first;
	if (w && event[w].co_prev && !is_performed(l, event[w].co_prev))
		return false;
	for (; newer; newer = event[newer].co_next) {
		if (is_performed(l, newer))
			return false;
	}
	return true;
}

static bool is_up_to_date(const struct linear *l, u32 e)
{
	u32 end = graph_after_half(l->g, e);

	do {
		if (!piece_is_up_to_date(l, e))
			return false;
		e = l->g->event[e].po_next;
	} while (e != end);
	return true;
}

/* Weights for the choice of the next step; those that apply are added. */
enum {
	RANK_ANY = 1,
	RANK_NO_WRITE = 1,
	RANK_NOT_LAST = 2,
	RANK_GOES_ON = 4,
	RANK_NOT_THE_END = 8,
	RANK_UP_TO_DATE = 16
};

static u32 causal_rank(const struct linear *l, u32 t, u32 now, u32 last)
{
	u32 e = l->next[t];

	if (ends_all(l, t))
		return RANK_ANY;
	return RANK_ANY + RANK_NOT_THE_END + (is_up_to_date(l, e) ? RANK_UP_TO_DATE : 0) +
	       (t == now ? RANK_GOES_ON : 0) + (t != last ? RANK_NOT_LAST : 0) +
	       (l->g->event[e].flags & E_WRITE ? 0 : RANK_NO_WRITE);
}

static u32 choose_causal(const struct linear *l, u32 now, u32 last)
{
	u32 n = l->g->nthreads, best = n, rank = 0;

	for (u32 t = 0; t < n; t++) {
		u32 r;

		if (!l->next[t] || !sources_performed(l, l->next[t]))
			continue;
		r = causal_rank(l, t, now, last);
		if (r > rank) {
			rank = r;
			best = t;
		}
	}
	return best;
}

void linearize_causal(const struct graph *g, u32 last, void *memory, struct plan *p)
{
	struct linear l;
	u32 t = last, e, w;

	begin_linear(&l, g, MODEL_SC, memory);
	for (u32 i = 0; i < g->nthreads; i++)
		l.next[i] = first_step(g, i);
	p->n = 0;
	while ((t = choose_causal(&l, t, last)) < g->nthreads) {
		e = l.next[t];
		p->item[p->n++] = e;
		l.next[t] = step_after(g, e);
		for (w = e; w && w != l.next[t]; w = g->event[w].po_next)
			l.needs[w] = DONE;
	}
	for (u32 i = 0; i < g->nthreads; i++)
		BUG_ON(l.next[i]);
}
