/* SPDX-License-Identifier: ISC */
/*
 * trust_thread.c - states of a graph's threads, and the effect of reading a value.
 *
 * A read is *ready* if its result gives its thread progress: not a wait for an object, nor another
 * iteration of a spin loop, nor a failed assumption. See trust.c.
 */
#include "trust/trust_priv.h"
#include "trust/trust_pieces.h"
#include "trust/trust_symmetry.h"

const struct label *trust_label_asked(struct trust *x, u32 t)
{
	struct cache_node *n = &x->cache.node[x->graph.thread[t].node];
	bool fresh = n->label.type == LABEL_UNKNOWN;
	struct label again;

	x->answer = x->program->next(x->program, &x->graph, t, &again);
	if (x->answer != ANSWER_LABEL)
		return NULL;
	BUG_ON(n->label.type != LABEL_UNKNOWN && !label_equal(&n->label, &again));
	if (again.again == LABEL_WAITED) {
		n->waited = true;
		again.again = 0;
	}
	n->label = again;
	x->inits |= label_is_init(&again);
	if (unlikely(again.again) && !x->unrolls)
		trust_learn_polls(x, t);
	if (unlikely(x->reduces && again.type == LABEL_SYNC &&
		     object_op_has(again.op, OP_WAIT_BEGINS) && !x->awaits->waits)) {
		x->awaits->waits = true;
		x->answer = ANSWER_RESTART;
	}
	if (unlikely(!x->clock && (x->sleepers_last ? label_has_time(&again)
						     : again.type == LABEL_CLOCK))) {
		x->awaits->time = true;
		x->answer = ANSWER_RESTART;
	}
	if (unlikely(x->symmetric) && fresh && x->answer == ANSWER_LABEL)
		symmetry_learn(x, t, &again);
	if (again.type == LABEL_END) {
		n->quiet = QUIET_YES;
		x->returns |= again.value != 0;
	}
	return x->answer == ANSWER_LABEL ? &n->label : NULL;
}

/* --- reads ----------------------------------------------------------------------------------- */

void trust_set_read(struct trust *x, u32 e, u32 w, const struct label *l, struct effect f)
{
	struct graph *g = &x->graph;
	struct gevent *ev = &g->event[e];
	u16 flags = graph_read_flags(g->model, l, f.excl);

	x->updates |= f.excl;
	if (f.acquire || (l->type == LABEL_SYNC && g->model->has_store_fences))
		flags |= E_ACQUIRE;
	graph_set_flags(g, e, flags);
	graph_set_source(g, e, w);
	ev->value = graph_write_value(g, w, ev->loc);
	ev->stamp = ++x->stamp;
	graph_clocks(g, e);
}

bool trust_blocked_read(struct trust *x, u32 t)
{
	const struct label *l = label_of(x, t);

	return l && label_blocked_read(l);
}

/* An RMW that writes the value it read may be an iteration of a loop: follow it to its end to
 * know. */
static bool idle_rmw_fruitless(struct trust *x, u32 e, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 t = g->event[e].thread, node = g->thread[t].node, w;
	u64 v = g->event[e].value;
	bool result;

	if (written_value(g, l, t, v) != v)
		return false;
	w = graph_push(g, t, l, g->event[e].node, graph_write_flags(g->model, l, true));
	g->event[w].value = v;
	g->event[w].stamp = ++x->stamp;
	graph_clocks(g, w);
	result = trust_blocked_read(x, t);
	graph_pop(g);
	g->thread[t].node = node;
	return result;
}

/*
 * e, the last event of its thread, reads from w: does its thread make progress? The thread is then
 * after e. A read without progress is not ready.
 */
bool trust_read_from(struct trust *x, u32 e, u32 w, bool rare)
{
	struct graph *g = &x->graph;
	struct gevent *ev = &g->event[e];
	const struct label *l = trust_label(x, e);
	struct effect f = effect_of(l, ev->thread, graph_write_value(g, w, ev->loc), rare);

	trust_set_read(x, e, w, l, f);
	ev->flags |= rare ? E_RARE : 0;
	if (!f.ready)
		return false;
	if (l->type == LABEL_SYNC && await_blocks(x, l, ev->thread, ev->node, ev->po_prev, w))
		return false;
	step_to(x, ev->thread, ev->node, f.key);
	if (l->type == LABEL_SYNC)
		return true;
	return f.excl ? !idle_rmw_fruitless(x, e, l) : !trust_blocked_read(x, ev->thread);
}

/* A label that was evicted, or is known to another worker only, is obtained again. */
const struct label *trust_label_after(struct trust *x, u32 t, const struct label *l, u32 w)
{
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node, next, e;

	if (unlikely(label_has_pieces(l)))
		return pieces_label_after(x, t, l); /* w is the co-last one */
	next = cache_child(
		&x->cache, node, effect_of(l, t, graph_write_value(g, w, l->loc), false).key);
	if (x->cache.node[next].label.type == LABEL_UNKNOWN || x->no_cache) {
		e = graph_push(g, t, l, node, E_READ);
		trust_read_from(x, e, w, false);
		graph_pop(g);
	}
	return &x->cache.node[next].label;
}

/* --- states of threads --------------------------------------------------------------------- */

/* It has tried the co-last write already. */
bool trust_waits_after(const struct graph *g, u32 t, u32 loc)
{
	const struct gevent *e = &g->event[g->thread[t].last];

	return g->thread[t].last && e->flags & E_WAIT &&
	       (!(e->flags & E_SYNC) || e->rf == g->place[loc].co_last);
}

/* Would thread t make progress with a read of the co-last write? */
static bool co_last_ready(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node, w, e;
	const struct cache_node *next;
	struct effect f;
	bool ready;

	if (unlikely(label_has_pieces(l)))
		return pieces_ready(x, t, l);
	w = l->loc < g->nplaces ? first_source(x, l) : 0;
	f = effect_of(l, t, graph_write_value(g, w, l->loc), false);
	if (l->type == LABEL_SYNC)
		return f.ready && !await_blocks(x, l, t, node, g->thread[t].last, w);
	if (!f.ready)
		return false;
	next = &x->cache.node[cache_child(&x->cache, node, f.key)];
	if (next->label.type != LABEL_UNKNOWN)
		return !label_blocked_read(&next->label);
	e = graph_push(g, t, l, node, E_READ);
	ready = trust_read_from(x, e, w, false);
	graph_pop(g);
	return ready;
}

bool trust_barrier_overflow(const struct trust *x, u32 e)
{
	const struct gevent *event = x->graph.event;
	const struct label *l = trust_label(x, e), *other;
	u64 users = 1ull << event[e].thread, n = 0;

	for (u32 i = event[e].loc_prev; i; i = event[i].loc_prev) {
		other = trust_label(x, i);
		if (other->type == LABEL_ARRIVE && other->expected == l->expected)
			users |= 1ull << event[i].thread;
	}
	for (; users; users &= users - 1)
		n++;
	return n > l->value;
}

bool trust_round_complete(const struct graph *g, u32 t, const struct label *l)
{
	u16 round = g->event[g->thread[t].last].round;
	u64 n = 0;

	for (u32 i = g->place[l->loc].reads; i; i = g->event[i].loc_prev)
		n += g->event[i].type == LABEL_ARRIVE && g->event[i].round == round;
	return n >= l->value;
}

static bool trust_has_ended(struct trust *x, u32 t)
{
	const struct gthread *th = &x->graph.thread[t];
	const struct label *l;

	if (th->ended)
		return true;
	if (unlikely(x->graph.mixed) && pieces_hang(&x->graph, t))
		return false;
	l = th->create || !t ? label_of(x, t) : NULL;
	return l && l->type == LABEL_END && !(l->flags & LABEL_EXIT);
}

/* The result of the thread, which has ended. */
static u64 end_value(struct trust *x, u32 t)
{
	const struct gthread *th = &x->graph.thread[t];

	return th->ended ? trust_label(x, th->last)->value : label_of(x, t)->value;
}

/* The value that a thread reads at l, if it happens after all others. False: l is not such a read,
 * or the read might be an error. */
static bool newest_value(const struct trust *x, const struct label *l, u64 *value)
{
	const struct graph *g = &x->graph;
	const struct place *p = &x->places->place[l->loc];

	if ((l->type != LABEL_READ && l->type != LABEL_PLAIN_READ) || l->flags & ~LABEL_VOLATILE ||
		l->other || l->again || l->skips || p->stack || p->span)
		return false;
	*value = graph_write_value(g, l->loc < g->nplaces ? g->place[l->loc].co_last : 0, l->loc);
	return true;
}

/* Are these all threads besides t? */
static bool are_all_others(const struct graph *g, u64 threads, u32 t)
{
	for (u32 u = 0; u < g->nthreads; u++)
		if (u != t && !(threads >> u & 1) && graph_has_thread(g, u))
			return false;
	return true;
}

static bool shortens(const struct trust *x)
{
	return x->short_leaves && !x->graph.mixed && !x->polled && !x->awaiting && !x->cut &&
	       !graph_has_time(&x->graph);
}

/*
 * Are joins of ended threads, and the end, all that follows? Then nothing is left for the thread.
 * The label after a join depends on the joined thread's result. x->short_leaves: when it has joined
 * all others, it may also read: the newest writes.
 */
bool trust_only_joins(struct trust *x, u32 t)
{
	u32 first = x->graph.thread[t].node, node = first;
	const struct label *l = &x->cache.node[node].label;
	u64 values = 0, joined = 0, value;
	bool reads = false;

	if (x->cache.node[first].quiet == QUIET_JOINS_NOT && !x->returns && !x->short_leaves)
		return false;
	while (node && l->type == LABEL_JOIN && trust_has_ended(x, l->other)) {
		value = end_value(x, l->other);
		values |= value;
		joined |= 1ull << l->other;
		node = cache_child(&x->cache, node, value);
		l = &x->cache.node[node].label;
	}
	if (shortens(x) && are_all_others(&x->graph, joined, t)) {
		for (; node && newest_value(x, l, &value); reads = true) {
			node = cache_child(&x->cache, node, value);
			l = &x->cache.node[node].label;
		}
	}
	if (!node || l->type == LABEL_JOIN || l->type == LABEL_UNKNOWN || x->no_cache)
		return false;
	if (first != node && !values && !reads)
		x->cache.node[first].quiet =
			l->type == LABEL_END ? QUIET_JOINS : QUIET_JOINS_NOT;
	return l->type == LABEL_END;
}

/* Does another thread wait for the end of thread t? */
bool trust_is_joined(struct trust *x, u32 t)
{
	const struct graph *g = &x->graph;

	for (u32 u = 0; u < g->nthreads; u++) {
		const struct label *l =
			graph_is_alive(g, u) && !(unlikely(x->graph.mixed) && pieces_hang(g, u))
				? label_of(x, u)
				: NULL;

		if (l && l->type == LABEL_JOIN && l->other == t)
			return true;
	}
	return false;
}

enum thread_state trust_plain_state(struct trust *x, u32 t)
{
	struct graph *g = &x->graph;
	const struct gthread *th = &g->thread[t];
	const struct label *l;

	if (!graph_is_alive(g, t))
		return THREAD_ENDED;
	if (unlikely(g->mixed) && pieces_hang(g, t))
		return THREAD_BLOCKED;
	l = label_of(x, t);
	if (!l)
		return THREAD_FAILED;
	switch (l->type) {
	case LABEL_END: return THREAD_ENDED; /* an event only when it is joined */
	case LABEL_FAIL: return l->flags & LABEL_REPORTED ? THREAD_BLOCKED : THREAD_FAILED;
	case LABEL_BLOCK: return THREAD_BLOCKED;
	case LABEL_SPIN: return trust_is_due(x, l) ? THREAD_READY : THREAD_BLOCKED;
	case LABEL_JOIN:
		return trust_has_ended(x, l->other) ? THREAD_JOINING : THREAD_WAITING;
	case LABEL_LEAVE: return trust_round_complete(g, t, l) ? THREAD_READY : THREAD_WAITING;
	case LABEL_READ:
	case LABEL_RMW:
	case LABEL_CAS:
		if (th->last && g->event[th->last].flags & E_WAIT)
			return THREAD_WAITING; /* until a write revisits it */
		/* fall through */
	case LABEL_SYNC:
		if (unlikely(graph_has_time(g)) && trust_is_due(x, l))
			return THREAD_READY;
		return co_last_ready(x, t, l) ? THREAD_READY : THREAD_WAITING;
	case LABEL_TIME:
		return trust_is_due(x, l) ? THREAD_READY : THREAD_WAITING;
	}
	return THREAD_READY;
}

/* The other threads go first: they decide whether an iteration that restored the state is
 * repeated. */
static enum thread_state state_again(struct trust *x, u32 t, enum thread_state s)
{
	const struct graph *g = &x->graph;

	if (!graph_is_alive(g, t) || !x->cache.node[g->thread[t].node].label.again)
		return s;
	if (trust_waits_again(x, t))
		return THREAD_BLOCKED;
	return s == THREAD_READY && !(g->event[g->thread[t].last].flags & E_WAIT) ? THREAD_AGAIN
										   : s;
}

enum thread_state trust_thread_state(struct trust *x, u32 t)
{
	enum thread_state s = trust_plain_state(x, t);

	return likely(!x->polled) || x->answer != ANSWER_LABEL ? s : state_again(x, t, s);
}

/* --- is the execution stuck for ever? --------------------------------------------------------- */

/* Does every read of thread t's fruitless iteration read the co-last write, none of them failing
 * spuriously? */
bool trust_spins_for_ever(const struct trust *x, u32 t, u64 reads)
{
	const struct graph *g = &x->graph;

	for (u32 e = g->thread[t].last; e && reads; e = g->event[e].po_prev) {
		const struct gevent *ev = &g->event[e];

		if (!(ev->flags & E_READ))
			continue;
		if ((ev->rf != g->place[ev->loc].co_last || ev->flags & E_RARE) &&
			!place_is_tally(g->places, ev->loc))
			return false;
		reads -= graph_half_first(g, e) == e; /* an access counts once */
	}
	return true;
}

/* Is t, which waits, in a spin loop that can never end? */
bool trust_waits_for_ever(struct trust *x, u32 t, const struct label *l)
{
	const struct graph *g = &x->graph;
	u32 last = g->thread[t].last, w = l->loc < g->nplaces ? g->place[l->loc].co_last : 0;
	const struct label *next;

	if (!label_reads(l) || l->type == LABEL_SYNC)
		return true;
	next = trust_label_after(x, t, l, w);
	if (next->type != LABEL_SPIN)
		return false;
	if (last && g->event[last].flags & E_WAIT)
		return trust_spins_for_ever(x, t, next->value);
	return next->value < 2 || trust_spins_for_ever(x, t, next->value - 1);
}

enum leaf trust_leaf(struct trust *x)
{
	bool ended = true, stuck = true;

	for (u32 t = 0; t < x->graph.nthreads; t++) {
		enum thread_state s = trust_thread_state(x, t);
		const struct label *l;

		if (x->answer != ANSWER_LABEL)
			return LEAF_BLOCKED;
		if (s == THREAD_ENDED || s == THREAD_JOINING) /* all only join: step_stuck() */
			continue;
		ended = false;
		l = label_of(x, t);
		if (trust_waits_again(x, t)) {
			stuck &= !x->rf && trust_polls_for_ever(x, t);
			continue;
		}
		if (trust_signal_came(x, t))
			stuck = false;
		if (x->rf)
			continue;
		if (label_is_last(l) ||
			(l->type == LABEL_SPIN && !trust_spins_for_ever(x, t, l->value)) ||
			(s == THREAD_WAITING && !trust_waits_for_ever(x, t, l)))
			stuck = false;
	}
	if (x->rf && !ended)
		stuck = stuck && class_stuck(x);
	return ended ? LEAF_COMPLETE : stuck ? LEAF_STUCK : LEAF_BLOCKED;
}
