/* SPDX-License-Identifier: ISC */
/*
 * graph.c - TruSt: every consistent execution graph of a program, each once.
 *
 * Idea.   Add one event at a time; a read tries every write that it may read from, a write every place in
 *         co. A write also *revisits* the reads that could have read it had it been there: the graph is
 *         cut back to what was before the read or caused the write, and explored anew. A revisit is
 *         done only from the graph in which all that is cut away had been added in the one canonical
 *         (maximal) way; so no graph is reached twice and nothing need be remembered.
 * How.    Forward choices are changed in place: an event knows which it has tried, and is
 *         taken back when all have been. Only a revisit copies the graph, on a stack, and comes back.
 * Waits.  A lock that is taken, an awaited value that is not there, a turn of a spin loop that was in
 *         vain: the operation is *not ready*. Its thread does not move until the co-last write makes it
 *         ready; when nobody else can move either, it tries older writes. Where a revisit makes a
 *         read not ready, it stays (E_WAIT): its thread waits for another revisit. At a
 *         synchronisation object, where all is ordered, it need not: it just performs the operation
 *         again once it is ready, and what stays is a mark that no model looks at.
 *
 * Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly stateless, optimal dynamic partial order
 * reduction, POPL 2022; theory/graphs.md 2.4 (with the errata of section 0).
 */
#include "explore/graph.h"
#include "explore/estimate.h"
#include "model/object.h"

/* What has been tried of an event: gevent.state. */
enum {
	STATE_FRESH,
	STATE_RARE,	 /* weak CAS: its failure for no reason from the present source */
	STATE_REVISITS,	 /* write: its places are done */
	STATE_PLACES,	 /* write that made a revisit: places only */
	STATE_WAIT_LEAF, /* E_WAIT: when nobody could move */
	STATE_WAIT_MARK, /* E_WAIT: left by a revisit */
};

enum standing {
	STANDS_ENDED,
	STANDS_READY,
	STANDS_JOINING, /* a thread that has ended: ready, but there is no hurry */
	STANDS_WAITING, /* for something that other threads have to do */
	STANDS_BLOCKED, /* for ever, unless a read is revisited */
	STANDS_FAILED,
};

const struct label *trust_label(const struct trust *x, u32 e)
{
	return &x->cache.node[x->graph.event[e].node].label;
}

/* leaf() has had enough: the graph as it stands has been told of. */
static void stop_here(struct trust *x)
{
	x->answer = ANSWER_STOP;
	x->told = true;
}

/* --- asking the program ---------------------------------------------------------------------- */

/* The label where thread t stands, NULL when exploring has to stop or to restart (x->answer). */
static const struct label *label_of(struct trust *x, u32 t)
{
	struct node *n = &x->cache.node[x->graph.thread[t].node];
	struct label again;

	if (likely(n->label.type != LABEL_UNKNOWN && !x->no_cache))
		return &n->label;
	x->answer = x->program->next(x->program, &x->graph, t, &again);
	if (x->answer != ANSWER_LABEL)
		return NULL;
	BUG_ON(n->label.type != LABEL_UNKNOWN && !label_equal(&n->label, &again));
	n->label = again;
	if (again.type == LABEL_END)
		n->quiet = QUIET_YES;
	return &n->label;
}

/* Thread t has had this result: it stands at the next node. */
static void step_to(struct trust *x, u32 t, u32 node, u64 key)
{
	x->graph.thread[t].node = cache_child(&x->cache, node, key);
	BUG_ON(!x->graph.thread[t].node);
}

/* --- reads ----------------------------------------------------------------------------------- */

/* What reading a value makes of a label. */
struct effect {
	bool ready, excl, acquire;
	u64 key;
};

static struct effect effect_of(const struct label *l, u32 thread, u64 value, bool rare)
{
	struct effect f = {.ready = true, .key = value};
	struct object_step s;

	switch (l->type) {
	case LABEL_RMW:
		f.excl = true;
		break;
	case LABEL_CAS:
		f.excl = value == l->expected && !rare;
		if (rare)
			f.key = ~value; /* the same value, another result */
		break;
	case LABEL_SYNC:
		s = object_step(l->op, l->value, thread, value);
		f = (struct effect){s.ready, s.writes, s.acquire, s.result};
		break;
	}
	return f;
}

/* Has another RMW taken this write as its source? */
static bool consumed(const struct graph *g, u32 w, u32 loc)
{
	u32 next = w ? g->event[w].co_next : g->place[loc].co_first;

	return next && g->event[next].flags & E_EXCL &&
	       g->event[g->event[next].po_prev].rf == w;
}

static void set_read(struct trust *x, u32 e, u32 w, const struct label *l, struct effect f)
{
	struct graph *g = &x->graph;
	struct gevent *ev = &g->event[e];
	u16 flags = graph_read_flags(g->model, l, f.excl);

	if (f.acquire || (l->type == LABEL_SYNC && g->model == MODEL_PSO))
		flags |= E_ACQUIRE;
	graph_set_flags(g, e, flags);
	graph_set_source(g, e, w);
	ev->value = graph_write_value(g, w, ev->loc);
	ev->stamp = ++x->stamp;
	graph_clocks(g, e);
}

/* Is what the thread does after this result in vain: a turn of a spin loop, a failed assumption? */
static bool fruitless(struct trust *x, u32 t)
{
	const struct label *l = label_of(x, t);

	return l && (l->type == LABEL_SPIN || l->type == LABEL_BLOCK);
}

/* An RMW that writes what it read may be a turn of a loop; see it through to know. */
static bool idle_rmw_fruitless(struct trust *x, u32 e, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 t = g->event[e].thread, node = g->thread[t].node, w;
	u64 v = g->event[e].value;
	bool result;

	if (l->type == LABEL_CAS ? l->value != v
				 : value_compute(g->places, l->size, v, l->value, l->op) != v)
		return false;
	w = graph_push(g, t, l, g->event[e].node, graph_write_flags(g->model, l, true));
	g->event[w].value = v;
	g->event[w].stamp = ++x->stamp;
	graph_clocks(g, w);
	result = fruitless(x, t);
	graph_pop(g);
	g->thread[t].node = node;
	return result;
}

/*
 * e, the last event of its thread, reads from w: does that get its thread anywhere? The thread stands
 * behind e then. A result that is in vain counts as not ready.
 */
static bool read_from(struct trust *x, u32 e, u32 w, bool rare)
{
	struct graph *g = &x->graph;
	struct gevent *ev = &g->event[e];
	const struct label *l = trust_label(x, e);
	struct effect f = effect_of(l, ev->thread, graph_write_value(g, w, ev->loc), rare);

	set_read(x, e, w, l, f);
	ev->flags |= rare ? E_RARE : 0;
	if (!f.ready)
		return false;
	step_to(x, ev->thread, ev->node, f.key);
	if (l->type == LABEL_SYNC)
		return true;
	return f.excl ? !idle_rmw_fruitless(x, e, l) : !fruitless(x, ev->thread);
}

/* --- where threads stand --------------------------------------------------------------------- */

/* It has tried the co-last write already. */
static bool waits_after(const struct graph *g, u32 t, u32 loc)
{
	const struct gevent *e = &g->event[g->thread[t].last];

	return g->thread[t].last && e->flags & E_WAIT &&
	       (!(e->flags & E_SYNC) || e->rf == g->place[loc].co_last);
}

/* Would a read of the co-last write get thread t on? */
static bool co_last_ready(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node, w = l->loc < g->nplaces ? g->place[l->loc].co_last : 0, e;
	struct effect f = effect_of(l, t, graph_write_value(g, w, l->loc), false);
	const struct node *next;
	bool ready;

	if (l->type == LABEL_SYNC || !f.ready)
		return f.ready;
	next = &x->cache.node[cache_child(&x->cache, node, f.key)];
	if (next->label.type != LABEL_UNKNOWN)
		return next->label.type != LABEL_SPIN && next->label.type != LABEL_BLOCK;
	e = graph_push(g, t, l, node, E_READ);
	ready = read_from(x, e, w, false);
	graph_pop(g);
	return ready;
}

static bool round_complete(const struct graph *g, u32 t, const struct label *l)
{
	u16 round = g->event[g->thread[t].last].round;
	u64 n = 0;

	for (u32 i = g->place[l->loc].reads; i; i = g->event[i].loc_prev)
		n += g->event[i].type == LABEL_ARRIVE && g->event[i].round == round;
	return n >= l->value;
}

static bool has_ended(struct trust *x, u32 t)
{
	const struct gthread *th = &x->graph.thread[t];
	const struct label *l;

	if (th->ended)
		return true;
	l = th->create || !t ? label_of(x, t) : NULL;
	return l && l->type == LABEL_END && !(l->flags & LABEL_EXIT);
}

/* What the thread, which has ended, returns. */
static u64 end_value(struct trust *x, u32 t)
{
	const struct gthread *th = &x->graph.thread[t];

	return th->ended ? trust_label(x, th->last)->value : label_of(x, t)->value;
}

/*
 * Does nothing follow at this node but joining threads that have ended, and the end? Then there is
 * nothing to do. What follows a join depends on what the thread returns.
 */
static bool only_joins(struct trust *x, u32 node)
{
	const struct label *l = &x->cache.node[node].label;

	while (node && l->type == LABEL_JOIN && has_ended(x, l->other)) {
		node = cache_child(&x->cache, node, end_value(x, l->other));
		l = &x->cache.node[node].label;
	}
	return node && l->type == LABEL_END && !x->no_cache;
}

/* Does another thread wait for the end of thread t? */
static bool is_joined(struct trust *x, u32 t)
{
	const struct graph *g = &x->graph;

	for (u32 u = 0; u < g->nthreads; u++) {
		const struct label *l = !g->thread[u].ended && (!u || g->thread[u].create)
						? label_of(x, u) : NULL;

		if (l && l->type == LABEL_JOIN && l->other == t)
			return true;
	}
	return false;
}

static enum standing standing(struct trust *x, u32 t)
{
	struct graph *g = &x->graph;
	const struct gthread *th = &g->thread[t];
	const struct label *l;

	if ((t && !th->create) || th->ended)
		return STANDS_ENDED;
	l = label_of(x, t);
	if (!l)
		return STANDS_FAILED;
	switch (l->type) {
	case LABEL_END: return STANDS_ENDED; /* an event only when somebody joins it */
	case LABEL_FAIL: return STANDS_FAILED;
	case LABEL_BLOCK:
	case LABEL_SPIN: return STANDS_BLOCKED;
	case LABEL_JOIN:
		return has_ended(x, l->other) ? STANDS_JOINING : STANDS_WAITING;
	case LABEL_LEAVE: return round_complete(g, t, l) ? STANDS_READY : STANDS_WAITING;
	case LABEL_READ:
	case LABEL_RMW:
	case LABEL_CAS:
		if (th->last && g->event[th->last].flags & E_WAIT)
			return STANDS_WAITING; /* until a write revisits it */
		/* fall through */
	case LABEL_SYNC:
		return co_last_ready(x, t, l) ? STANDS_READY : STANDS_WAITING;
	}
	return STANDS_READY;
}

/* --- races ----------------------------------------------------------------------------------- */

/* What happens before e. That it reads from a plain write, or plainly, orders nothing. */
static const u16 *ordered_by(const struct graph *g, const struct gevent *ev, u32 e)
{
	if (ev->flags & E_PLAIN || (ev->flags & E_READ && g->event[ev->rf].flags & E_PLAIN))
		return graph_hb(g, ev->po_prev);
	return graph_hb(g, e);
}

/* An event that conflicts with e, one of them plain, and is not ordered with it; or 0. */
static u32 race_of(const struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[e];
	const struct gplace *p = &g->place[ev->loc];
	const u16 *clock = ordered_by(g, ev, e);
	u32 plain_write = 0;

	if (likely(!p->nplain) || !x->races)
		return 0;
	for (u32 w = p->co_last; w; w = g->event[w].co_prev) {
		bool plain = g->event[w].flags & E_PLAIN;

		if (w != e && (plain || ev->flags & E_PLAIN) && !clock_has(g, clock, w))
			return w;
		if (w != e && plain) {
			plain_write = w; /* older accesses have been compared with it */
			break;
		}
	}
	if (!(ev->flags & E_WRITE))
		return 0;
	for (u32 r = p->reads; r > plain_write; r = g->event[r].loc_prev) {
		if (r != e && (g->event[r].flags | ev->flags) & E_PLAIN && !clock_has(g, clock, r))
			return r;
	}
	return 0;
}

/* Reports a race of e, if there is one: the execution ends. */
static bool races(struct trust *x, u32 e)
{
	u32 other = race_of(x, e);

	if (likely(!other))
		return false;
	x->failing++;
	if (!x->program->leaf(x->program, &x->graph, LEAF_RACE, x->graph.event[e].thread, other))
		stop_here(x);
	return true;
}

/* --- what counts as canonical ---------------------------------------------------------------- */

/*
 * Is event i what the canonical continuation of the events up to number `at`, and of what causes the
 * last event, which has this clock, would have added?
 */
static bool maximal(const struct graph *g, u32 i, u32 at, const u16 *clock)
{
	const struct gevent *e = &g->event[i];
	u32 w = e->co_next;

	if (e->type == LABEL_CHOOSE)
		return !e->value;
	if (e->flags & E_PLAIN || !(e->flags & (E_READ | E_WRITE)))
		return true;
	if (e->flags & E_READ) {
		if (e->flags & E_RARE || (e->rf > at && !clock_has(g, clock, e->rf)))
			return false;
		w = e->rf ? g->event[e->rf].co_next : g->place[e->loc].co_first;
	} else {
		for (u32 r = e->readers; r; r = g->event[r].reader_next) {
			if (r < i)
				return false; /* it has revisited r */
		}
		if (e->flags & E_EXCL)
			return true;
	}
	for (; w; w = g->event[w].co_next) {
		if (w <= at || (w != g->n && clock_has(g, clock, w)))
			return false;
	}
	return true;
}

/* Would thread t, which waits at the mark i, wait in the canonical continuation, too? */
static bool waits_canonically(const struct trust *x, u32 i, const u16 *clock)
{
	const struct graph *g = &x->graph;
	const struct label *l = trust_label(x, i);
	u32 w = g->place[l->loc].co_last;

	while (w > i && (w == g->n || !clock_has(g, clock, w)))
		w = g->event[w].co_prev;
	return !effect_of(l, g->event[i].thread, graph_write_value(g, w, l->loc), false).ready;
}

/*
 * maximal() for event i where it is. An operation that had to wait at a mark may also count as
 * performed there, where the canonical continuation, which knows all that causes the last event, would
 * not have waited; or the mark as the wait that it is.
 */
static bool canonical(const struct trust *x, u32 i, const u16 *clock)
{
	const struct graph *g = &x->graph;
	u32 end = i;

	if (likely(!gevent_is_mark(&g->event[i])))
		return maximal(g, i, i, clock);
	while (gevent_is_mark(&g->event[end]) && g->event[end].po_next)
		end = g->event[end].po_next;
	if (gevent_is_mark(&g->event[end]))
		return waits_canonically(x, i, clock);
	if (maximal(g, end, i, clock))
		return true;
	return maximal(g, i, i, clock) && canonical(x, g->event[i].po_next, clock);
}

/* May the last event, a write of location loc with this clock, revisit i? taken has to be cut. */
static bool revisitable(const struct graph *g, u32 i, u32 loc, u32 taken, const u16 *clock)
{
	const struct gevent *e = &g->event[i];

	return e->flags & E_READ && e->loc == loc && !(e->flags & E_PLAIN) && !gevent_is_mark(e) &&
	       (!taken || (taken >= i && !clock_has(g, clock, taken)));
}

/*
 * The RMW e could read from w, but another one does. Then it can only push the other one aside: is
 * there a revisit that does so? If not, spare the trouble.
 */
static bool taken_in_vain(struct trust *x, u32 e, u32 w)
{
	struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[e];
	u16 clock[GRAPH_THREADS] __attribute__((aligned(16)));
	u32 taken;

	if (!consumed(g, w, ev->loc) || trust_label(x, e)->flags & LABEL_WEAK ||
		!effect_of(trust_label(x, e), ev->thread, graph_write_value(g, w, ev->loc), false).excl)
		return false;
	taken = w ? g->event[w].co_next : g->place[ev->loc].co_first;
	clock_copy(clock, graph_cause(g, ev->po_prev), g->lanes);
	clock_join(clock, graph_cause(g, w), g->lanes);
	for (u32 i = e - 1; i; i--) {
		if (clock_has(g, clock, i))
			continue;
		if (!canonical(x, i, clock))
			return !g->nmarks;
		if (revisitable(g, i, ev->loc, taken, clock))
			return false;
	}
	return true;
}

/* --- forward: events and their choices ------------------------------------------------------- */

static const u16 *clock_before(const struct graph *g, u32 e)
{
	return graph_hb(g, g->event[e].po_prev);
}

/* The weak CAS e could succeed, and may fail all the same; `changed` is the event that is new. */
static bool rare_failure(struct trust *x, u32 e, u32 changed)
{
	struct gevent *ev = &x->graph.event[e];
	const struct label *l = trust_label(x, e);
	u32 rare = 0;

	if (!(l->flags & LABEL_WEAK) || !(ev->flags & E_EXCL) || ev->flags & E_RARE)
		return false;
	for (u32 i = 1; i <= x->graph.n; i++)
		rare += !!(x->graph.event[i].flags & E_RARE);
	if (rare >= x->weak_cas) {
		x->bounded |= x->weak_cas > 0;
		return false;
	}
	return read_from(x, e, ev->rf, true) &&
	       (ev->rf == x->graph.place[ev->loc].co_last ||
		       graph_consistent(&x->graph, changed, e == changed ? 0 : e));
}

/* The next older source of e that gets its thread on, and is consistent. */
static bool older_source(struct trust *x, u32 e)
{
	struct graph *g = &x->graph;
	struct gevent *ev = &g->event[e];
	const u16 *clock = clock_before(g, e);
	u32 w = ev->rf;

	while (!graph_known(g, clock, ev->loc, w)) {
		w = g->event[w].co_prev;
		if (taken_in_vain(x, e, w))
			continue;
		if (!read_from(x, e, w, false)) {
			if (x->answer != ANSWER_LABEL)
				return false;
			continue;
		}
		if ((ev->flags & E_EXCL && consumed(g, w, ev->loc)) || graph_consistent(g, e, 0) ||
			rare_failure(x, e, e))
			return true;
	}
	return false;
}

static bool next_source(struct trust *x, u32 e)
{
	struct gevent *ev = &x->graph.event[e];

	if (ev->state == STATE_WAIT_MARK)
		return false;
	if (ev->state != STATE_WAIT_LEAF && rare_failure(x, e, e))
		return true;
	ev->state = STATE_FRESH;
	return older_source(x, e);
}

static bool forward_read(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 e = graph_push(g, t, l, g->thread[t].node, E_READ);

	if (!read_from(x, e, g->place[l->loc].co_last, false))
		return x->answer == ANSWER_LABEL && next_source(x, e);
	return true;
}

/* Nobody can move: may t read something older? Then its waiting is one of its choices. */
static bool forward_wait(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 e, node = g->thread[t].node;

	if (!label_reads(l) || waits_after(g, t, l->loc))
		return false;
	e = graph_push(g, t, l, node, E_READ);
	set_read(x, e, g->place[l->loc].co_last, l, (struct effect){.ready = false});
	if (!older_source(x, e)) {
		graph_pop(g);
		return false;
	}
	set_read(x, e, g->place[l->loc].co_last, l, (struct effect){.ready = false});
	graph_set_flags(g, e, g->event[e].flags | E_WAIT);
	g->event[e].state = STATE_WAIT_LEAF;
	g->thread[t].node = node;
	return true;
}

static void forward_plain(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node, e;

	if (l->type == LABEL_PLAIN_READ) {
		e = graph_push(g, t, l, node, graph_read_flags(g->model, l, false));
		graph_set_source(g, e, g->place[l->loc].co_last);
		g->event[e].value = graph_write_value(g, g->event[e].rf, l->loc);
		step_to(x, t, node, g->event[e].value);
	} else {
		e = graph_push(g, t, l, node, graph_write_flags(g->model, l, false));
		g->event[e].value = l->value;
		graph_co_insert(g, e, g->place[l->loc].co_last);
		step_to(x, t, node, 0);
	}
	g->event[e].stamp = ++x->stamp;
	graph_clocks(g, e);
}

static void forward_write(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node;
	u32 e = graph_push(g, t, l, node, graph_write_flags(g->model, l, false));

	g->event[e].value = l->value;
	graph_co_insert(g, e, g->place[l->loc].co_last);
	graph_clocks(g, e);
	g->event[e].stamp = ++x->stamp;
	step_to(x, t, node, 0);
}

/* The write of an RMW whose read is the last event. False: only its revisits count. */
static bool forward_excl(struct trust *x, u32 read)
{
	struct graph *g = &x->graph;
	const struct label *l = trust_label(x, read);
	u32 t = g->event[read].thread, w = g->event[read].rf;
	u32 node = g->thread[t].node, e;
	u64 old = g->event[read].value;
	u16 flags = graph_write_flags(g->model, l, true);
	bool taken = consumed(g, w, l->loc);

	if (l->type == LABEL_SYNC && (g->model == MODEL_PSO ||
			object_step(l->op, l->value, t, old).release))
		flags |= E_RELEASE;
	e = graph_push(g, t, l, g->event[read].node, flags);
	g->thread[t].node = node;
	g->event[e].value = l->type == LABEL_CAS ? l->value
			  : l->type == LABEL_RMW
			    ? value_compute(g->places, l->size, old, l->value, l->op)
			    : object_step(l->op, l->value, t, old).next;
	g->event[e].stamp = ++x->stamp;
	graph_clocks(g, e);
	g->event[e].state = STATE_REVISITS;
	g->event[e].cursor = (u16)(e - 1);
	if (taken)
		return false;
	graph_co_insert(g, e, w);
	return !g->event[e].co_next || graph_consistent(g, e, 0);
}

static void forward_other(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node;
	u32 e = graph_push(g, t, l, node, graph_other_flags(g->model, l));
	struct gevent *ev = &g->event[e];
	u64 key = 0;
	u32 known = 0;

	switch (l->type) {
	case LABEL_CREATE:
		ev->value = l->other;
		if (l->other >= g->lanes) {
			g->lanes = (l->other + CLOCK_LANES) / CLOCK_LANES * CLOCK_LANES;
			x->answer = ANSWER_RESTART;
			return;
		}
		g->thread[l->other] = (struct gthread){
			.create = (u16)e, .node = cache_root(l->other)};
		if (l->other >= g->nthreads)
			g->nthreads = l->other + 1u;
		break;
	case LABEL_START:
		if (g->thread[t].create)
			graph_set_source(g, e, g->thread[t].create);
		key = ev->value = ev->rf ? trust_label(x, ev->rf)->value : 0; /* what it was given */
		break;
	case LABEL_JOIN:
		graph_set_source(g, e, g->thread[l->other].last);
		key = ev->value = trust_label(x, ev->rf)->value; /* what the thread returned */
		break;
	case LABEL_END:
		g->thread[t].ended = true;
		break;
	case LABEL_ARRIVE: /* the first round that is not known to be complete */
		for (u32 i = ev->loc_prev; i; i = g->event[i].loc_prev)
			known += g->event[i].type == LABEL_ARRIVE &&
				 clock_has(g, clock_before(g, e), i);
		ev->round = (u16)(known / l->value + 1);
		break;
	case LABEL_LEAVE:
		ev->round = g->event[ev->po_prev].round;
		break;
	}
	ev->stamp = ++x->stamp;
	graph_clocks(g, e);
	step_to(x, t, node, key);
}

/* Thread t, which is ready, does what it does next. False: not consistent, or over. */
static bool forward(struct trust *x, u32 t)
{
	const struct label *l = label_of(x, t);
	u32 e = x->graph.n + 1;

	if (l->type == LABEL_JOIN && !x->graph.thread[l->other].ended) {
		forward_other(x, l->other, label_of(x, l->other));
		return true;
	}
	graph_know_place(&x->graph, l->loc);
	switch (l->type) {
	case LABEL_READ:
	case LABEL_RMW:
	case LABEL_CAS:
	case LABEL_SYNC:
		if (!forward_read(x, t, l))
			return false;
		break;
	case LABEL_WRITE:
		forward_write(x, t, l);
		break;
	case LABEL_PLAIN_READ:
	case LABEL_PLAIN_WRITE:
		forward_plain(x, t, l);
		break;
	default:
		forward_other(x, t, l);
		return true;
	}
	return !races(x, e);
}

/* --- revisits -------------------------------------------------------------------------------- */

/* r reads from a, the last event, which is in co: what its thread makes of it. */
static bool revisit_read(struct trust *x, u32 r, u32 a)
{
	struct graph *g = &x->graph;
	struct gevent *ev = &g->event[r];
	const u16 *clock = clock_before(g, r);

	for (u32 w = g->event[a].co_next; w; w = g->event[w].co_next) {
		if (graph_known(g, clock, ev->loc, w))
			return false;
	}
	ev->state = STATE_FRESH;
	if (read_from(x, r, a, false))
		return true;
	if (x->answer != ANSWER_LABEL || g->event[a].co_next)
		return false;
	set_read(x, r, a, trust_label(x, r), (struct effect){.ready = false});
	graph_set_flags(g, r, ev->flags | E_WAIT);
	ev->state = STATE_WAIT_MARK;
	g->thread[ev->thread].node = ev->node;
	return true;
}

/* a, the last event, is in co, and r of `also` reads from it, in a graph made by a revisit: can it be? */
static bool placed(struct trust *x, u32 r, u32 a)
{
	struct graph *g = &x->graph;

	return revisit_read(x, r, a) && (!g->event[a].co_next || graph_consistent(g, a, r) ||
						rare_failure(x, r, a));
}

/* The next earlier place in co for the write e; 0 = none is left. *before is where it may go. */
static bool earlier_place(const struct graph *g, u32 e, u32 *before)
{
	const struct gevent *ev = &g->event[e];
	const u16 *clock = clock_before(g, e);
	u32 w = ev->co_prev;

	while (!graph_known(g, clock, ev->loc, w)) {
		u32 next = w;

		w = g->event[w].co_prev;
		if (g->event[next].flags & E_EXCL && g->event[g->event[next].po_prev].rf == w)
			continue; /* nothing goes between an RMW's two halves */
		*before = w;
		return true;
	}
	return false;
}

static bool move_earlier(struct trust *x, u32 e)
{
	struct graph *g = &x->graph;
	u32 before;

	if (g->event[e].flags & E_EXCL)
		return false;
	while (earlier_place(g, e, &before)) {
		graph_co_remove(g, e);
		graph_co_insert(g, e, before);
		g->event[e].stamp = ++x->stamp;
		if (g->event[e].state == STATE_PLACES) {
			if (placed(x, g->event[e].cursor, e))
				return true;
			if (x->answer != ANSWER_LABEL)
				return false;
		} else if (graph_consistent(g, e, 0)) {
			return true;
		}
	}
	return false;
}

void trust_push(struct trust *x)
{
	struct level *l = (struct level *)(x->stack + x->stack_used);
	size_t size = LEVEL_HEAD + graph_size(&x->graph);

	BUG_ON(x->stack_used + size > x->stack_size);
	*l = (struct level){x->stack_top, size, x->pushes++, trust_leaves(x), x->base};
	graph_save(&x->graph, (u8 *)l + LEVEL_HEAD);
	x->stack_top = x->stack_used;
	x->stack_used += size;
	x->depth++;
}

void trust_pop(struct trust *x)
{
	struct level *l = trust_level(x);

	graph_restore(&x->graph, (u8 *)l + LEVEL_HEAD);
	x->stack_used = x->stack_top;
	x->stack_top = l->below;
	x->base = l->base;
	x->depth--;
}

/* The last event a revisits r: a new graph, on top of a copy of this one. */
static bool revisit(struct trust *x, u32 r)
{
	struct graph *g = &x->graph;
	u32 a = g->n, place;

	if (unlikely(x->stack_used + LEVEL_HEAD + 2 * graph_size(g) > x->stack_size)) {
		x->bounded = true;
		return false;
	}
	trust_push(x);
	if (graph_in_co(g, a))
		graph_co_remove(g, a);
	r = graph_cut(g, r, r, a);
	a = g->n;
	x->base = a - 1;
	g->event[a].state = STATE_PLACES;
	g->event[a].cursor = (u16)r;
	g->event[a].stamp = ++x->stamp;
	if (g->event[a].flags & E_EXCL) {
		place = g->event[g->event[a].po_prev].rf;
		if (!consumed(g, place, g->event[a].loc)) {
			graph_co_insert(g, a, place);
			if (placed(x, r, a))
				return true;
		}
	} else {
		graph_co_insert(g, a, g->place[g->event[a].loc].co_last);
		if (placed(x, r, a) || (x->answer == ANSWER_LABEL && move_earlier(x, a)))
			return true;
	}
	trust_pop(x);
	return false;
}

/* The write of the RMW that has taken the source of the RMW of write a, or 0. It must be cut. */
static u32 taken_by(const struct graph *g, u32 a)
{
	const struct gevent *e = &g->event[a];
	u32 w;

	if (!(e->flags & E_EXCL) || graph_in_co(g, a))
		return 0;
	w = g->event[e->po_prev].rf;
	return w ? g->event[w].co_next : g->place[e->loc].co_first;
}

/* The next read that the last event, a write, revisits. */
static bool next_revisit(struct trust *x, u32 a)
{
	struct graph *g = &x->graph;
	const u16 *clock = graph_cause(g, a);

	u32 below = g->n, taken = taken_by(g, a);

	for (u32 i = g->event[a].cursor; i; i--) {
		const struct gevent *e = &g->event[i];
		u32 before = e->po_prev;

		if (clock_has(g, clock, i))
			continue;
		if (!canonical(x, i, clock)) {
			if (!before || !gevent_is_mark(&g->event[before]))
				break;
			below = before < below ? before : below; /* perhaps from before the mark */
		}
		if (i > below)
			continue;
		if (!revisitable(g, i, g->event[a].loc, taken, clock))
			continue;
		g->event[a].cursor = (u16)(i - 1);
		if (revisit(x, i))
			return true;
		if (x->answer != ANSWER_LABEL)
			return false;
	}
	g->event[a].cursor = 0;
	return false;
}

/* --- back ------------------------------------------------------------------------------------ */

bool trust_advance(struct trust *x, u32 e)
{
	struct graph *g = &x->graph;
	struct gevent *ev = &g->event[e];

	if (ev->flags & E_PLAIN)
		return false;
	if (ev->type == LABEL_CHOOSE) {
		if (ev->value + 1 >= trust_label(x, e)->value)
			return false;
		ev->stamp = ++x->stamp;
		step_to(x, ev->thread, ev->node, ++ev->value);
		return true;
	}
	if (ev->flags & E_READ)
		return next_source(x, e);
	if (!(ev->flags & E_WRITE))
		return false;
	if (ev->state != STATE_REVISITS) {
		if (ev->state == STATE_PLACES && rare_failure(x, ev->cursor, e))
			return true;
		if (x->answer != ANSWER_LABEL)
			return false;
		if (move_earlier(x, e))
			return true;
		if (ev->state == STATE_PLACES || x->answer != ANSWER_LABEL)
			return false;
		ev->state = STATE_REVISITS;
		ev->cursor = (u16)(e - 1);
	}
	return next_revisit(x, e);
}

/* Is what is left of the saved graph explored by somebody else, with all below it? */
static bool was_given(const struct trust *x)
{
	for (u32 i = 0; i < x->ngiven; i++) {
		if (x->given[i] == trust_level(x)->number)
			return true;
	}
	return false;
}

/* Back to the last saved graph: what its last event has revisited has been explored. */
static void go_back(struct trust *x)
{
	u64 leaves = trust_leaves(x) - trust_level(x)->leaves;
	u32 base = x->base;

	trust_pop(x);
	if (x->estimate)
		estimate_back(x->estimate, base + 1, x->graph.n, leaves);
}

/* To the next graph that has not been explored; false: there is none, or the program has to be asked
 * again (x->answer). */
static bool back(struct trust *x)
{
	x->halves = true;
	for (;;) {
		while (x->graph.n > x->base) {
			u32 e = x->graph.n;
			bool more;

			if (x->estimate)
				estimate_end(x->estimate, e, trust_leaves(x));
			more = trust_advance(x, e);
			if (more && x->estimate)
				estimate_begin(x->estimate, x->graph.n, trust_leaves(x));
			if (more && !((x->graph.n != e || x->graph.event[e].flags & E_READ) &&
					    races(x, x->graph.n)))
				return true;
			if (x->answer != ANSWER_LABEL)
				return false;
			if (!more)
				graph_pop(&x->graph);
		}
		if (!x->depth || was_given(x))
			return false;
		go_back(x);
	}
}

/* --- the loop -------------------------------------------------------------------------------- */

/* Does every read of thread t's fruitless turn read the co-last write? */
static bool spins_for_ever(const struct trust *x, u32 t, u64 reads)
{
	const struct graph *g = &x->graph;

	for (u32 e = g->thread[t].last; e && reads; e = g->event[e].po_prev) {
		const struct gevent *ev = &g->event[e];

		if (!(ev->flags & E_READ))
			continue;
		if (ev->rf != g->place[ev->loc].co_last)
			return false;
		reads--;
	}
	return true;
}

/* Is t, which waits, in a turn of a spin loop that can never end? */
static bool waits_for_ever(struct trust *x, u32 t, const struct label *l)
{
	const struct graph *g = &x->graph;
	u32 last = g->thread[t].last, w = g->place[l->loc].co_last;
	const struct label *next;
	struct effect f;

	if (!label_reads(l) || l->type == LABEL_SYNC)
		return true;
	f = effect_of(l, t, graph_write_value(g, w, l->loc), false);
	next = &x->cache.node[cache_child(&x->cache, g->thread[t].node, f.key)].label;
	if (next->type != LABEL_SPIN)
		return false;
	if (last && g->event[last].flags & E_WAIT)
		return spins_for_ever(x, t, next->value);
	return next->value < 2 || spins_for_ever(x, t, next->value - 1);
}

/* Nobody can move. */
static bool leaf(struct trust *x)
{
	bool ended = true, stuck = true;
	enum leaf how;

	for (u32 t = 0; t < x->graph.nthreads; t++) {
		enum standing s = standing(x, t);
		const struct label *l;

		if (s == STANDS_ENDED || s == STANDS_JOINING) /* it only joins: step() */
			continue;
		ended = false;
		l = label_of(x, t);
		if (l->type == LABEL_BLOCK ||
			(l->type == LABEL_SPIN && !spins_for_ever(x, t, l->value)) ||
			(s == STANDS_WAITING && !waits_for_ever(x, t, l)))
			stuck = false;
	}
	how = ended ? LEAF_COMPLETE : stuck ? LEAF_STUCK : LEAF_BLOCKED;
	if (ended)
		x->complete++;
	else
		x->blocked++;
	return x->program->leaf(x->program, &x->graph, how, 0, 0);
}

/* Has thread t nothing to do any more, as far as can be seen at a glance? */
static inline bool is_quiet(const struct trust *x, u32 t)
{
	return x->cache.node[x->graph.thread[t].node].quiet == QUIET_YES && !x->no_cache;
}

static u32 nth_thread(const struct trust *x, u32 i)
{
	u32 n = x->graph.nthreads;

	return x->order == 0 ? i : x->order == 1 ? n - 1 - i : (i + x->order) % n;
}

/* Is e the read of an RMW whose write has been cut, or taken back? */
static bool is_half(const struct graph *g, u32 e)
{
	const struct gevent *ev = &g->event[e];

	return (ev->flags & (E_READ | E_EXCL | E_WAIT)) == (E_READ | E_EXCL) && !ev->po_next;
}

/* Thread t stands behind such a read. */
static void complete_half(struct trust *x, u32 t)
{
	u32 e = x->graph.thread[t].last;
	const struct gevent *ev = &x->graph.event[e];
	struct effect f = effect_of(trust_label(x, e), t, ev->value, false);

	step_to(x, t, ev->node, f.key);
}

/* The execution is longer than we can hold: it does not count, and the search is not complete. */
static bool too_long(struct trust *x)
{
	const struct graph *g = &x->graph;

	if (likely(g->n + GRAPH_THREADS < GRAPH_EVENTS && g->nsc + 2 < GRAPH_SC_MAX))
		return false;
	x->bounded = true;
	x->blocked++;
	if (!x->program->leaf(x->program, g, LEAF_BLOCKED, 0, 0))
		stop_here(x);
	return true;
}

/* One step: forward by an event, or a leaf. False: go back. */
static bool step(struct trust *x)
{
	struct graph *g = &x->graph;
	const struct gevent *last = &g->event[g->n];
	bool joining = false;

	if (unlikely(too_long(x)))
		return false;
	if (last->flags & E_EXCL && last->flags & E_READ)
		return forward_excl(x, g->n) && !races(x, g->n);
	for (u32 t = 0; x->halves && t < g->nthreads; t++) {
		if (is_half(g, g->thread[t].last)) {
			complete_half(x, t);
			return forward_excl(x, g->thread[t].last) && !races(x, g->n);
		}
	}
	x->halves = false;
	if (last->type == LABEL_CREATE && !g->thread[last->value].n)
		return standing(x, (u32)last->value) == STANDS_READY && forward(x, (u32)last->value);
	for (u32 t = 0; g->nmarks && t < g->nthreads; t++) {
		/* As if the operation that waited had been performed where its mark is. */
		if (g->thread[t].last && gevent_is_mark(&g->event[g->thread[t].last]) &&
			standing(x, t) == STANDS_READY)
			return forward(x, t);
	}
	for (u32 i = 0; i < g->nthreads; i++) {
		u32 t = nth_thread(x, i);

		if (is_quiet(x, t))
			continue;
		switch (standing(x, t)) {
		case STANDS_READY:
			return forward(x, t);
		case STANDS_JOINING:
			joining = true;
			break;
		case STANDS_FAILED:
			if (x->answer != ANSWER_LABEL)
				return false;
			x->failing++;
			if (!x->program->leaf(x->program, g, LEAF_FAIL, t, 0))
				stop_here(x);
			return false;
		default:
			break;
		}
		if (x->answer != ANSWER_LABEL)
			return false;
	}
	for (u32 t = 0; joining && t < g->nthreads; t++) {
		if (standing(x, t) == STANDS_JOINING &&
			(!only_joins(x, g->thread[t].node) || is_joined(x, t)))
			return forward(x, t);
	}
	for (u32 i = 0; i < g->nthreads; i++) {
		u32 t = nth_thread(x, i);

		if (standing(x, t) == STANDS_WAITING && forward_wait(x, t, label_of(x, t)))
			return true;
		if (x->answer != ANSWER_LABEL)
			return false;
	}
	if (!leaf(x))
		stop_here(x);
	return false;
}

static void begin(struct trust *x)
{
	struct graph *g = &x->graph;

	graph_init(g, x->graph_memory, g->model, g->lanes, g->places);
	g->nthreads = 1;
	g->thread[0].node = cache_root(0);
	cache_clear(&x->cache);
	x->complete = x->blocked = x->failing = 0;
	x->depth = x->base = 0;
	x->stack_used = x->stack_top = 0;
	x->pushes = 0;
	x->told = x->over = false;
	x->answer = ANSWER_LABEL;
}

/* A step makes no more nodes than this. */
#define CACHE_MARGIN 4096

void trust_run(struct trust *x)
{
	x->answer = ANSWER_LABEL;
	while (!x->over) {
		bool told = x->told;

		x->told = false;
		if (unlikely(x->cache.n + CACHE_MARGIN > x->cache.max))
			trust_forget(x);
		if ((told || !step(x)) && x->answer == ANSWER_LABEL)
			x->over = !back(x) && x->answer == ANSWER_LABEL;
		else if (x->estimate)
			estimate_begin(x->estimate, x->graph.n, trust_leaves(x));
		if (x->answer == ANSWER_STOP || (x->answer == ANSWER_RESTART && x->fixed))
			return;
		if (x->answer == ANSWER_RESTART) {
			x->restarts++;
			begin(x);
		}
	}
}

void trust_init(struct trust *x, void *memory, size_t size, enum model model, struct program *p)
{
	u8 *at = memory;
	size_t graph = graph_memory(GRAPH_THREADS, CLOCKS);

	*x = (struct trust){.program = p, .races = true};
	x->places = (struct places *)at;
	at += (sizeof *x->places + 63) & ~(size_t)63;
	x->places->place = (struct place *)at;
	at += PLACES_MAX * sizeof(struct place);
	x->places->wide = (u64(*)[2])at;
	x->places->maxwide = WIDE_MAX;
	at += WIDE_MAX * sizeof x->places->wide[0];
	x->cache.node = (struct node *)at;
	x->cache.max = CACHE_NODES;
	at += CACHE_NODES * sizeof(struct node);
	x->cache.moved = (u32 *)at;
	at += CACHE_NODES * sizeof(u32);
	x->cache.bucket = (u32 *)at;
	at += sizeof(u32) << CACHE_BUCKET_BITS;
	x->graph_memory = at;
	at += (graph + 63) & ~(size_t)63;
	x->stack = at;
	BUG_ON((size_t)(at - (u8 *)memory) > size / 2);
	x->stack_size = size - (size_t)(at - (u8 *)memory);
	x->graph.model = model;
	x->graph.lanes = CLOCK_LANES;
	x->graph.places = x->places;
	begin(x);
}

/* --- an event at a time ---------------------------------------------------------------------- */

const struct label *trust_next(struct trust *x, u32 t)
{
	return label_of(x, t);
}

u32 trust_race(const struct trust *x, u32 e)
{
	return race_of(x, e);
}

void trust_clear(struct trust *x)
{
	begin(x);
}

static bool add_read(struct trust *x, u32 t, const struct label *l, u32 source, bool rare)
{
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node;
	u32 e = graph_push(g, t, l, node, E_READ);
	struct effect f = effect_of(l, t, graph_write_value(g, source, l->loc), rare);

	set_read(x, e, source, l, f);
	g->event[e].flags |= rare ? E_RARE : 0;
	if (f.ready) {
		step_to(x, t, node, f.key);
		if (!f.excl || forward_excl(x, e))
			return true;
		graph_pop(g);
	}
	graph_pop(g);
	return false;
}

bool trust_add(struct trust *x, u32 t, u32 choice, bool rare)
{
	struct graph *g = &x->graph;
	const struct label *l = label_of(x, t);
	bool is_source = choice <= g->n && (!choice || (g->event[choice].flags & E_WRITE &&
						       g->event[choice].loc == l->loc));
	u32 node = g->thread[t].node, e = g->n + 1;

	graph_know_place(g, l->loc);
	switch (l->type) {
	case LABEL_READ:
	case LABEL_RMW:
	case LABEL_CAS:
	case LABEL_SYNC:
	case LABEL_PLAIN_READ:
		return is_source && add_read(x, t, l, choice, rare);
	case LABEL_WRITE:
	case LABEL_PLAIN_WRITE:
		if (!is_source)
			return false;
		forward_write(x, t, l);
		graph_co_remove(g, e);
		graph_co_insert(g, e, choice);
		return true;
	case LABEL_CHOOSE:
		if (choice >= l->value)
			return false;
		forward_other(x, t, l);
		g->event[e].value = choice;
		step_to(x, t, node, choice);
		return true;
	case LABEL_JOIN:
		if (!g->thread[l->other].ended)
			return false;
		break;
	case LABEL_LEAVE:
		if (!round_complete(g, t, l))
			return false;
		break;
	case LABEL_BLOCK:
	case LABEL_SPIN:
	case LABEL_FAIL:
		return false;
	}
	forward_other(x, t, l);
	return x->answer == ANSWER_LABEL;
}
