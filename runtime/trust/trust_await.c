/* SPDX-License-Identifier: ISC */
/* trust_await.c - see trust_await.h. */
#include "trust/trust_priv.h"

/* node.await */
enum { AWAIT_UNKNOWN, AWAIT_YES, AWAIT_NO };

/* --- conditions that are left out ------------------------------------------------------------- */

static u64 place_address(const struct trust *x, u32 loc)
{
	return x->places->place[loc].addr;
}

static bool list_has_address(const u64 *list, u32 n, u64 addr)
{
	for (u32 i = 0; i < n; i++)
		if (list[i] == addr)
			return true;
	return false;
}

bool await_is_left_out(const struct trust *x, u32 loc)
{
	return x->awaits->all ||
		list_has_address(x->awaits->left_out, x->awaits->n, place_address(x, loc));
}

void await_leave_out(struct trust *x, u32 loc)
{
	struct awaits *a = x->awaits;

	if (loc && await_is_left_out(x, loc))
		return;
	if (!loc || a->n == AWAITS_MAX)
		a->all = true;
	else
		a->left_out[a->n++] = place_address(x, loc);
	x->answer = ANSWER_RESTART;
}

/* Threads wait with this mutex. */
static void learn_monitor(struct trust *x, u32 lock)
{
	struct awaits *a = x->awaits;

	if (list_has_address(a->monitor, a->nmonitors, place_address(x, lock)))
		return;
	if (a->nmonitors == AWAITS_MAX)
		a->all = true;
	else
		a->monitor[a->nmonitors++] = place_address(x, lock);
	x->answer = ANSWER_RESTART;
}

void await_notice(struct trust *x, const struct label *l)
{
	if (object_op_has(l->op, OP_WAIT_BEGINS) || object_op_has_all(l->op, OP_TAKES | OP_TRIES))
		await_leave_out(x, l->loc);
}

enum { LEFT_OUT = 1, MONITOR = 2 };

u16 trust_await_traits(const struct trust *x, u32 loc)
{
	const struct awaits *a = x->awaits;
	u64 addr = place_address(x, loc);

	if (x->places->place[loc].size)
		return 0;
	return (u16)((list_has_address(a->left_out, a->n, addr) ? LEFT_OUT : 0) |
		     (list_has_address(a->monitor, a->nmonitors, addr) ? MONITOR : 0));
}

bool trust_await_learn(struct awaits *a, u64 addr, u16 traits)
{
	if ((traits & LEFT_OUT && a->n == AWAITS_MAX) ||
		(traits & MONITOR && a->nmonitors == AWAITS_MAX))
		return false;
	if (traits & LEFT_OUT)
		a->left_out[a->n++] = addr;
	if (traits & MONITOR)
		a->monitor[a->nmonitors++] = addr;
	return true;
}

/* --- the accesses behind a lock --------------------------------------------------------------- */

static u32 before_marks(const struct graph *g, u32 e)
{
	while (e && gevent_is_mark(&g->event[e]))
		e = g->event[e].po_prev;
	return e;
}

struct await await_of(const struct trust *x, u32 t, u32 node, u32 last)
{
	return (struct await){.thread = t,
		.node = node,
		.lock = x->cache.node[node].label.loc,
		.before = before_marks(&x->graph, last)};
}

/* The write of the location that it would read there. */
static u32 await_source(const struct graph *g, const struct await *a, u32 w, u32 loc)
{
	const u16 *behind = graph_hb(g, w), *before = graph_hb(g, a->before);
	u32 v = loc < g->nplaces ? g->place[loc].co_last : 0;

	while (v && !clock_has(g, before, v) && !clock_has(g, behind, v))
		v = g->event[v].co_prev;
	return v;
}

static bool note_await_read(struct await *a, u32 loc)
{
	if (a->nreads == AWAIT_READS)
		return false;
	a->read[a->nreads++] = loc;
	return true;
}

static bool note_reads(struct await *a, const struct label *l)
{
	return note_await_read(a, l->loc) &&
		(!label_block(l) || note_await_read(a, label_block(l)));
}

/* Collect the facts about it. False: they do not suffice. */
static bool collect_facts(struct trust *x, struct await *a, u32 w)
{
	const struct graph *g = &x->graph;
	u32 node = cache_find(&x->cache, a->node, 0);
	const struct cache_node *n = &x->cache.node[node];

	a->condition = a->nreads = 0;
	while (node && n->label.type == LABEL_PLAIN_READ) {
		u32 loc = n->label.loc;

		if (!note_reads(a, &n->label))
			return true;
		node = cache_find(
			&x->cache, node, graph_write_value(g, await_source(g, a, w, loc), loc));
		n = &x->cache.node[node];
	}
	if (!node || n->label.type == LABEL_UNKNOWN)
		return false;
	if (n->label.type != LABEL_SYNC || !object_op_has(n->label.op, OP_WAIT_BEGINS))
		return true;
	if (n->await == AWAIT_YES && !await_is_left_out(x, n->label.loc) &&
		!await_is_left_out(x, a->lock))
		a->condition = n->label.loc;
	return n->await != AWAIT_UNKNOWN;
}

/* --- running the program --------------------------------------------------------------------- */

/* Thread t performs its next label l as an RMW of the co-last write. */
static bool push_rmw(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node, w, e;
	struct effect f;

	graph_know_place(g, l->loc);
	w = g->place[l->loc].co_last;
	f = effect_of(l, t, graph_write_value(g, w, l->loc), false);
	if (!f.ready || !f.excl)
		return false;
	e = graph_push(g, t, l, node, E_READ);
	trust_set_read(x, e, w, l, f);
	step_to(x, t, node, f.key);
	graph_co_insert(g, trust_push_excl(x, e), w);
	return true;
}

static void push_read(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node, last = g->thread[t].last, w, e;

	graph_know_place(g, l->loc);
	w = g->place[l->loc].co_last;
	while (w && !clock_has(g, graph_hb(g, last), w))
		w = g->event[w].co_prev;
	e = graph_push(g, t, l, node, graph_read_flags(g->model, l, false));
	trust_set_read(x, e, w, l, (struct effect){.ready = true});
	step_to(x, t, node, l->type == LABEL_SYNC ? 0 : g->event[e].value);
}

static bool is_operation(const struct label *l, u32 traits, u32 loc)
{
	return l && l->type == LABEL_SYNC && object_op_has_all(l->op, traits) && l->loc == loc &&
	       !(l->flags & LABEL_TIMED);
}

/* The thread, which holds the lock and is at the wait l, is woken at once: does it return to where
 * it was when it took the lock? */
static bool await_recurs(struct trust *x, const struct await *a, const struct label *l)
{
	u32 t = a->thread, condition = l->loc;

	if (l->flags & LABEL_TIMED || !push_rmw(x, t, l))
		return false;
	l = label_of(x, t);
	if (!is_operation(l, OP_RELEASES, a->lock) || !push_rmw(x, t, l))
		return false;
	l = label_of(x, t);
	if (!is_operation(l, OP_WAIT_ENDS, condition))
		return false;
	push_read(x, t, l);
	l = label_of(x, t);
	if (!is_operation(l, OP_TAKES | OP_WAITS, a->lock) || !push_rmw(x, t, l))
		return false;
	return label_of(x, t) && x->cache.node[x->graph.thread[t].node].waited;
}

/* The thread takes the lock, and goes on; is this one of its waits, and does it recur? sure: if it
 * does not recur here, it never does. */
static void ask_program(struct trust *x, const struct await *a, bool sure)
{
	struct graph *g = &x->graph;
	u32 t = a->thread, reads = 0, node;
	const struct label *l;
	bool yes;

	g->thread[t].node = a->node;
	if (!push_rmw(x, t, &x->cache.node[a->node].label))
		return;
	while ((l = label_of(x, t)) && l->type == LABEL_PLAIN_READ && reads++ < AWAIT_READS)
		push_read(x, t, l);
	if (!l || l->type != LABEL_SYNC || !object_op_has(l->op, OP_WAIT_BEGINS))
		return;
	node = g->thread[t].node;
	yes = await_recurs(x, a, l);
	if (x->answer != ANSWER_LABEL)
		return;
	if (yes || sure)
		x->cache.node[node].await = yes ? AWAIT_YES : AWAIT_NO;
	if (yes)
		learn_monitor(x, a->lock);
}

/* Is the thread there now, and w the last of the mutex? */
static bool may_ask_here(const struct trust *x, const struct await *a, u32 w)
{
	const struct graph *g = &x->graph;
	const struct gthread *t = &g->thread[a->thread];

	return !x->no_cache && t->node == a->node && t->last == a->before && w &&
	       g->place[a->lock].co_last == w && g->n + GRAPH_THREADS < g->limit &&
	       g->nsc + AWAIT_READS < GRAPH_SC_MAX;
}

/* In the present graph: the thread may go on from there afterwards, without running again. */
static void ask_here(struct trust *x, const struct await *a)
{
	struct graph *g = &x->graph;
	u32 n = g->n;

	ask_program(x, a, false);
	while (g->n > n)
		graph_pop(g);
	g->thread[a->thread].node = a->node;
}

/* In a graph of only the events before it and before w. */
static void find_out(struct trust *x, const struct await *a, u32 w)
{
	struct graph *g = &x->graph;
	struct aside *aside = trust_put_aside(x);
	u16 clock[GRAPH_THREADS] __attribute__((aligned(16)));

	if (unlikely(!aside)) {
		x->bounded |= TRUST_DEPTH;
		await_leave_out(x, 0);
		return;
	}
	clock_copy(clock, graph_cause(g, a->before), g->lanes);
	clock_join(clock, graph_cause(g, w), g->lanes);
	graph_keep(g, 1, clock);
	ask_program(x, a, true);
	trust_take_back(x, aside);
}

bool await_is_fruitless(struct trust *x, struct await *a, u32 w)
{
	const struct graph *g = &x->graph;
	u32 next = 0;

	a->condition = a->nreads = 0;
	if (a->lock < g->nplaces)
		next = w ? g->event[w].co_next : g->place[a->lock].co_first;
	if (graph_write_value(g, w, a->lock) ||
		(next && clock_has(g, graph_cause(g, a->before), next)))
		return false; /* locked there, or against coherence */
	if (x->no_cache || !collect_facts(x, a, w)) {
		if (may_ask_here(x, a, w))
			ask_here(x, a);
		if (x->answer == ANSWER_LABEL && (x->no_cache || !collect_facts(x, a, w)))
			find_out(x, a, w);
		if (x->answer != ANSWER_LABEL)
			return true;
		BUG_ON(!collect_facts(x, a, w) && a->nreads < AWAIT_READS);
	}
	return a->condition != 0;
}

/* --- leaves ----------------------------------------------------------------------------------- */

static bool is_fruitless_now(struct trust *x, u32 t)
{
	const struct graph *g = &x->graph;
	const struct label *l = graph_is_alive(g, t) ? label_of(x, t) : NULL;
	u32 w;

	if (!l || l->type != LABEL_SYNC)
		return false;
	w = l->loc < g->nplaces ? g->place[l->loc].co_last : 0;
	return await_blocks(x, l, t, g->thread[t].node, g->thread[t].last, w);
}

static void sleep(struct trust *x, u32 t)
{
	const struct label *l = label_of(x, t);

	for (u32 i = 0; i < AWAIT_READS + 3; i++) {
		if (!l || !label_reads(l) || is_operation(l, OP_WAIT_ENDS, l->loc))
			return;
		graph_know_place(&x->graph, l->loc);
		if (!trust_add(x, t, first_source(x, l), false))
			return;
		l = label_of(x, t);
	}
}

/* At a leaf: the threads at a futile lock take it, and wait for their conditions. */
static void await_sleep(struct trust *x)
{
	u64 fruitless = 0;

	for (u32 t = 0; t < x->graph.nthreads; t++)
		fruitless |= (u64)is_fruitless_now(x, t) << t;
	x->awaiting = false;
	for (; fruitless && x->answer == ANSWER_LABEL && !trust_is_long(x);
		fruitless &= fruitless - 1)
		sleep(x, (u32)__builtin_ctzll(fruitless));
	x->awaiting = true;
}

u32 trust_sleep(struct trust *x)
{
	u32 n = x->graph.n;

	if (x->awaiting) {
		await_sleep(x);
		x->awaiting = false;
		x->asleep = true;
	}
	return n;
}

void trust_awake(struct trust *x, u32 n)
{
	if (!x->asleep)
		return;
	while (x->graph.n > n)
		graph_pop(&x->graph);
	x->awaiting = true;
	x->asleep = false;
}
