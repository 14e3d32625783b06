/* SPDX-License-Identifier: ISC */
/*
 * rf.c - RF-SMC: each reads-from function of a program by one execution.
 *
 * Idea.   An execution is run to its end, in the simplest way: threads run in turn, stores reach
 *         memory at once. Then for every read r other sources w are proposed: the events before r
 *         stay, r reads w, and of the others only the causal past of w is kept, with sources that
 *         are fixed (RF_MARKED). If it has a schedule (verify/verify.h) it is the beginning of
 *         another execution. Each read has a set of the proposals that have been made for it, as
 *         long as the events before it stay; r is not marked, so executions below may add to it.
 * Once.   Executions from different proposals for r differ in r's source, or in the causal past of
 *         w: no two have the same reads-from. Events are named by their thread and number, not by
 *         their order.
 * RMWs.   Two RMWs cannot read the same write, so they can only change places: r' reads from r's
 *         source, and r reads from r' (RF_REVERSE). Operations on objects that wait for their turn
 *         (locks) cannot do that. But every change of an object is an RMW, so another event can
 *         read the state that r read in its place, and r comes later (RF_TAKE): executions that
 *         begin like this differ in that event.
 * Waits.  A read that would only let its thread spin, or fail an assumption, is not proposed, and a
 *         thread before such a read waits. When no thread is enabled it gets a mark there (E_WAIT),
 *         which is not part of the execution, only the read for which sources are proposed. A read
 *         may also have to wait because its effect would block other threads (RF_WAIT); only if
 *         some write would make it wait. The executions in which it waits for ever are counted as
 *         blocked.
 *
 * Why waiting for the initial value is never proposed: take an execution in which r reads w, with
 * the causal past of w. In it w can be last, with r directly before it; r would then read a write
 * that is no older than its first source.
 *
 * Cost. All memory is in the sets of the current execution. It has O(n) reads with O(n) sources
 * each, and for each of these a question that is polynomial in n for k threads (verify.h).
 */
#include "rf/rf_priv.h"
#include "base/table.h"

/* Bounds of the cache nodes made by a thread's step, and by a recipe. */
#define STEP_NODES   (4 * GRAPH_THREADS)
#define RECIPE_NODES (GRAPH_EVENTS + STEP_NODES)

/* --- events ----------------------------------------------------------------------------------- */

static u32 event_named(const struct rf *x, u32 name)
{
	return name ? x->priv->id[name >> 16][name & 0xffff] : 0;
}

/* Note the events from `first` on. */
static void note_events(struct rf *x, u32 first, u8 state)
{
	struct graph *g = &x->trust->graph;

	for (u32 e = first; e <= g->n; e++) {
		struct gevent *ev = &g->event[e];

		x->priv->id[ev->thread][ev->index] = (u16)e;
		ev->state = state;
	}
}

/* --- the beginning: a recipe ------------------------------------------------------------------ */

/* Thread t reads from w, or from a write to come with this value. Returns the read. */
static u32 put_read(struct rf *x, u32 t, const struct label *l, u32 w, u64 value, bool rare)
{
	struct trust *tr = x->trust;
	struct graph *g = &tr->graph;
	u32 node = g->thread[t].node, e;
	struct effect f = effect_of(l, t, value, rare);

	BUG_ON(!f.ready);
	graph_know_place(g, l->loc);
	e = graph_push(g, t, l, node, E_READ);
	trust_set_read(tr, e, w, l, f);
	g->event[e].flags |= rare ? E_RARE : 0;
	g->event[e].value = value;
	step_to(tr, t, node, f.key);
	if (f.excl)
		graph_co_insert(g, trust_push_excl(tr, e), g->place[l->loc].co_last);
	return e;
}

static bool put_item(struct rf *x, const struct rf_item *i)
{
	struct trust *tr = x->trust;
	struct graph *g = &tr->graph;
	u32 t = i->thread & 0xff, first = g->n + 1, w;
	const struct label *l = label_of(tr, t);

	if (!l)
		return false;
	if (label_reads(l)) {
		w = event_named(x, i->source);
		put_read(x, t, l, w, graph_write_value(g, w, l->loc), i->thread & ITEM_RARE);
	} else {
		u32 choice = l->type == LABEL_CHOOSE ? i->source
			     : l->loc < g->nplaces   ? g->place[l->loc].co_last
						     : 0;

		if (!trust_add(tr, t, choice, false)) {
			BUG_ON(tr->answer == ANSWER_LABEL);
			return false;
		}
	}
	note_events(x, first, 0);
	if (rf_decides(&g->event[first]))
		g->event[first].state = RF_MARKED;
	if (i->thread & ITEM_NEW)
		g->event[g->n].state |= RF_NEW;
	return true;
}

/* Add r as in the recipe; its source may be missing so far. */
static bool put_changed(struct rf *x, const struct rf_recipe *p, u32 r, u32 t)
{
	struct trust *tr = x->trust;
	struct graph *g = &tr->graph;
	const struct label *l = label_of(tr, t);

	if (!l)
		return false;
	if (p->kind == RF_CHOOSE) {
		if (!trust_add(tr, t, p->source, false))
			return false;
	} else if (p->kind == RF_WAIT) {
		graph_push(g, t, l, g->thread[t].node, E_READ | E_WAIT);
		graph_clocks(g, r);
	} else if (p->kind != RF_TAKE) {
		put_read(x, t, l, 0, p->value, p->rare);
	}
	note_events(x, r, 0);
	if (g->n > r) /* its write */
		g->event[g->n].state = RF_NEW;
	return true;
}

/* Connect r with its source, which now exists. */
static void connect(struct rf *x, u32 r, u32 w)
{
	struct graph *g = &x->trust->graph;
	u32 next = g->event[r].po_next;

	graph_set_source(g, r, w);
	graph_clocks(g, r);
	BUG_ON(g->event[r].value != graph_write_value(g, w, g->event[r].loc));
	if (next)
		graph_clocks(g, next);
}

void rf_put_co(struct rf *x, const u32 *co, u32 n)
{
	struct graph *g = &x->trust->graph;
	u16 *before = g->todo;

	for (u32 e = 1; e <= g->n; e++) {
		struct gevent *ev = &g->event[e];

		if (!(ev->flags & E_WRITE))
			continue;
		before[e] = ev->co_prev;
		ev->co_prev = ev->co_next = 0;
		g->place[ev->loc].co_first = g->place[ev->loc].co_last = 0;
	}
	for (u32 i = 0; i < n; i++) {
		u32 e = event_named(x, co[i]);
		struct gevent *ev = &g->event[e];

		graph_co_insert(g, e, g->place[ev->loc].co_last);
		graph_changes(g, e);
		if (ev->co_prev != before[e])
			ev->stamp = ++x->trust->stamp;
	}
}

static bool put_items(struct rf *x, struct rf_recipe *p, u32 r, u32 t)
{
	if (!put_changed(x, p, r, t))
		return false;
	for (u32 i = 0; i < p->nitems; i++)
		if (!put_item(x, &rf_items(p)[i]))
			return false;
	return true;
}

/* Note the events that have changed, and may race with others. */
static void note_changes(struct rf *x, const struct rf_recipe *p, u32 r)
{
	const struct graph *g = &x->trust->graph;
	u16 *changed = x->priv->changed;

	__builtin_memset(changed, 0, sizeof x->priv->changed);
	if (p->kind == RF_SOURCE || p->kind == RF_REVERSE) {
		changed[0] = (u16)r;
		changed[1] = g->event[r].po_next;
	}
	if (p->kind == RF_REVERSE || p->kind == RF_TAKE) {
		changed[2] = (u16)(g->n - 1);
		changed[3] = (u16)g->n;
	}
}

/* Build the execution as far as the recipe determines it. False: the program did not follow,
 * trust->answer. */
static bool begin_recipe(struct rf *x, struct rf_recipe *p, u32 r)
{
	struct graph *g = &x->trust->graph;
	u32 t = x->priv->set[r].thread;

	while (g->n >= r)
		graph_pop(g);
	for (u32 e = 1; e < r; e++) {
		BUG_ON(!(g->event[e].flags & E_WRITE) && g->event[e].rf >= r);
		g->event[e].state &= RF_MARKED;
	}
	if (!put_items(x, p, r, t))
		return false;
	if (p->kind == RF_SOURCE || p->kind == RF_REVERSE)
		connect(x, r, event_named(x, p->source));
	rf_put_co(x, rf_co(p), p->nco);
	note_changes(x, p, r);
	return true;
}

/* --- the rest --------------------------------------------------------------------------------- */

/* Has no execution with these reads-from been complete before? */
static bool is_first_execution(struct rf *x)
{
	struct rf_priv *p = x->priv;
	const struct graph *g = &x->trust->graph;
	u64 a = 1, b = 1;
	u32 i;

	for (u32 e = 1; e <= g->n; e++) {
		const struct gevent *ev = &g->event[e];
		u64 v = (u64)rf_name(g, e) << 32;

		if (!rf_decides(ev) || (ev->flags & E_PLAIN && !rf_is_scheduled(p, ev)))
			continue;
		v |= ev->flags & E_READ ? rf_name(g, ev->rf) << 1 | !!(ev->flags & E_RARE)
					: ev->value;
		a += rf_mix(v);
		b += rf_mix(v ^ 0x9e3779b97f4a7c15u);
	}
	if (2 * ++p->nseen > RF_SEEN)
		return true; /* unknown for lack of room */
	TABLE_FIND(i, a, RF_SEEN, !p->seen[i][0] || (p->seen[i][0] == a && p->seen[i][1] == b));
	if (p->seen[i][0])
		return false;
	p->seen[i][0] = a;
	p->seen[i][1] = b;
	return true;
}

/* Report an execution that has ended or failed. False: stop, or begin again. */
static bool report_rf_leaf(struct rf *x, enum leaf how, u32 t, u32 other)
{
	struct trust *tr = x->trust;

	if (unlikely(x->check) && how == LEAF_COMPLETE) {
		rf_note_accesses(x);
		BUG_ON(!is_first_execution(x));
	}
	if (how == LEAF_COMPLETE)
		tr->complete++;
	else if (how == LEAF_BLOCKED || how == LEAF_STUCK)
		tr->blocked++;
	else
		tr->failing++;
	if (tr->program->leaf(tr->program, &tr->graph, how, t, other))
		return tr->answer == ANSWER_LABEL;
	if (tr->answer == ANSWER_LABEL)
		tr->answer = ANSWER_STOP;
	return false;
}

/* Does e race with another event? Then the execution ends, unless races are ignored. */
static bool rf_races(struct rf *x, u32 e)
{
	struct trust *tr = x->trust;
	enum leaf how;
	u32 other;

	if (!e || !(tr->graph.event[e].flags & (E_READ | E_WRITE)))
		return false;
	while ((other = trust_fault(tr, e, &how))) {
		if (!report_rf_leaf(x, how, tr->graph.event[e].thread, other) ||
			!trust_passes(tr, e, other))
			return true;
		tr->failing--;
	}
	return false;
}

/* Is t's next label a finding? Report it once. False: stop. */
static bool report_failure(struct rf *x, u32 t, bool *failed)
{
	struct trust *tr = x->trust;
	const struct label *l = *failed ? NULL : label_of(tr, t);

	if (!l || l->type != LABEL_FAIL || l->flags & LABEL_REPORTED)
		return tr->answer == ANSWER_LABEL;
	if (!report_rf_leaf(x, LEAF_FAIL, t, 0))
		return false;
	*failed = l->type == LABEL_FAIL && !(l->flags & LABEL_REPORTED);
	tr->failing -= !*failed; /* ignored */
	return true;
}

/* Add the next event of thread t, which is ready: reads see the last write. */
static bool add_rf_event(struct rf *x, u32 t)
{
	struct trust *tr = x->trust;
	struct graph *g = &tr->graph;
	const struct label *l = label_of(tr, t);
	u32 first = g->n + 1, choice = 0;

	if (!l)
		return false;
	if (l->type == LABEL_JOIN && !g->thread[l->other].ended) {
		t = l->other;
		l = label_of(tr, t);
	}
	graph_know_place(g, l->loc);
	if (label_reads(l) || l->type == LABEL_WRITE || l->type == LABEL_PLAIN_WRITE)
		choice = g->place[l->loc].co_last;
	if (!trust_add(tr, t, choice, false)) {
		BUG_ON(tr->answer == ANSWER_LABEL);
		return false;
	}
	note_events(x, first, RF_NEW);
	if (rf_decides(&g->event[first]))
		rf_set_open(x, first, false);
	return true;
}

/* The i-th of n threads to be tried; `last` moved last. */
static u32 nth_thread(const struct rf *x, u32 i, u32 n, u32 last)
{
	if (x->trust->order == 1)
		return n - 1 - i;
	return (x->trust->order ? i + x->trust->graph.n : last + i) % n;
}

/* An enabled thread: the previous one, if possible. GRAPH_THREADS: none. */
static u32 who_moves(struct rf *x, u32 last)
{
	u32 joining = GRAPH_THREADS, n = x->trust->graph.nthreads;

	for (u32 i = 0; i < n && x->trust->answer == ANSWER_LABEL; i++) {
		u32 t = nth_thread(x, i, n, last);
		enum thread_state s = trust_thread_state(x->trust, t);

		if (s == THREAD_READY)
			return t;
		if (s == THREAD_JOINING && joining == GRAPH_THREADS)
			joining = t;
	}
	return joining;
}

/* Threads that wait for a write get a mark there. */
static void mark_waits(struct rf *x)
{
	struct graph *g = &x->trust->graph;

	for (u32 t = 0; t < g->nthreads; t++) {
		const struct gthread *th = &g->thread[t];
		const struct label *l = &x->trust->cache.node[th->node].label;
		u32 e;

		if (!graph_is_alive(g, t) ||
			(l->type != LABEL_READ && l->type != LABEL_RMW && l->type != LABEL_CAS) ||
			(th->last && g->event[th->last].flags & E_WAIT))
			continue;
		e = graph_push(g, t, l, th->node, E_READ | E_WAIT);
		graph_clocks(g, e);
		note_events(x, e, RF_NEW);
		rf_set_open(x, e, true);
	}
}

/* The kind of leaf. */
static enum leaf leaf_at_end(struct rf *x)
{
	const struct graph *g = &x->trust->graph;

	for (u32 t = 0; t < g->nthreads; t++) {
		if (graph_is_alive(g, t) &&
			x->trust->cache.node[g->thread[t].node].label.type != LABEL_END)
			return rf_is_stuck(x) ? LEAF_STUCK : LEAF_BLOCKED;
	}
	return LEAF_COMPLETE;
}

/* Does it have more events than a graph holds? */
static bool is_too_long(struct rf *x)
{
	if (likely(x->trust->graph.n + 2 * GRAPH_THREADS < GRAPH_EVENTS))
		return false;
	x->trust->bounded |= TRUST_LONG;
	return true;
}

/* Do the events from `first` on race? */
static bool last_race(struct rf *x, u32 first)
{
	for (u32 e = first; e <= x->trust->graph.n; e++)
		if (rf_races(x, e))
			return true;
	return false;
}

/* New events of the recipe may race; threads may have failed. False: the execution ends. */
static bool begins_well(struct rf *x, bool *failed)
{
	const struct graph *g = &x->trust->graph;

	for (u32 i = 0; i < array_size(x->priv->changed); i++)
		if (rf_races(x, x->priv->changed[i]))
			return false;
	for (u32 t = 0; t < g->nthreads; t++)
		if (graph_is_alive(g, t) && !report_failure(x, t, failed))
			return false;
	return true;
}

/* Make room for so many nodes in the cache. */
static void make_cache_room(struct rf *x, u32 nodes)
{
	if (unlikely(cache_is_full(&x->trust->cache, nodes)))
		trust_forget(x->trust);
}

/* Extend to the end, and report. A failure was already reported; then the others continue for their
 * reads. False: stop, or restart. */
static bool extend_execution(struct rf *x)
{
	struct trust *tr = x->trust;
	bool failed = false, too_long;
	enum leaf how;
	u32 t = 0, first;

	if (!begins_well(x, &failed))
		return tr->answer == ANSWER_LABEL;
	while (!(too_long = is_too_long(x))) {
		make_cache_room(x, STEP_NODES);
		t = who_moves(x, t);
		if (tr->answer != ANSWER_LABEL || t == GRAPH_THREADS)
			break;
		first = tr->graph.n + 1;
		if (!add_rf_event(x, t) || last_race(x, first))
			return tr->answer == ANSWER_LABEL;
		if (!report_failure(x, t, &failed))
			return false;
	}
	if (tr->answer != ANSWER_LABEL)
		return false;
	mark_waits(x);
	how = too_long || failed ? LEAF_BLOCKED : leaf_at_end(x);
	return tr->answer == ANSWER_LABEL && (failed || report_rf_leaf(x, how, 0, 0));
}

/* --- the loop --------------------------------------------------------------------------------- */

/* The recipe p gives the read r another source: does that only block its thread? */
static bool only_blocks(struct rf *x, const struct rf_recipe *p, u32 r)
{
	struct trust *tr = x->trust;
	const struct gevent *e = &tr->graph.event[r];

	if ((p->kind != RF_SOURCE && p->kind != RF_REVERSE) || e->type == LABEL_SYNC)
		return false;
	if (e->flags & E_EXCL && tr->graph.event[e->po_next].value != e->value)
		return false; /* others see its write */
	return trust_blocked_read(tr, e->thread);
}

/* Begin the next execution, as far as its recipe determines it. False: there is none, or see
 * trust->answer. */
static bool next_recipe(struct rf *x)
{
	struct trust *tr = x->trust;
	struct rf_recipe *p;
	bool blocked_read, waits;
	u32 r;

	while (rf_set_last(x, &r)) {
		p = rf_take(x, r);
		if (!p) {
			rf_set_close(x);
			continue;
		}
		make_cache_room(x, RECIPE_NODES);
		if (!begin_recipe(x, p, r))
			return false;
		blocked_read = only_blocks(x, p, r);
		waits = p->source && !p->rare;
		rf_done(x, p);
		if (tr->answer != ANSWER_LABEL)
			return false;
		if (!blocked_read)
			return true;
		if (waits)
			rf_propose_wait(x, r);
	}
	return false;
}

static void begin_rf(struct rf *x)
{
	trust_clear(x->trust);
	rf_sets_clear(x);
	if (x->check)
		__builtin_memset(x->priv->seen, 0, RF_SEEN * sizeof *x->priv->seen);
	x->priv->nseen = 0;
	__builtin_memset(x->priv->changed, 0, sizeof x->priv->changed);
	x->proposals = x->asked = x->refused = x->undecided = 0;
}

void rf_run(struct rf *x)
{
	struct trust *tr = x->trust;

	tr->unrolls = true;
	begin_rf(x);
	for (;;) {
		if (extend_execution(x))
			rf_propose(x);
		if (tr->answer == ANSWER_LABEL && !next_recipe(x) && tr->answer == ANSWER_LABEL) {
			tr->over = true;
			return;
		}
		if (tr->answer == ANSWER_STOP || (tr->answer == ANSWER_RESTART && tr->fixed))
			return;
		if (tr->answer == ANSWER_RESTART) {
			tr->restarts++;
			begin_rf(x);
		}
	}
}

/* --- memory ----------------------------------------------------------------------------------- */

static void *take_rf_memory(u8 **at, size_t n)
{
	void *p = *at;

	*at += (n + 63) & ~(size_t)63;
	return p;
}

#define VERIFY_STATES ((size_t)64 << 20) /* bytes for the states that a question visits */

void rf_init(struct rf *x, struct trust *t)
{
	size_t half = t->area.size / 2, verify, rest;
	u8 *at = area_cut(&t->area, half), *end = at + half;
	struct rf_priv *p;

	*x = (struct rf){.trust = t};
	x->priv = p = take_rf_memory(&at, sizeof *p);
	p->set = take_rf_memory(&at, (GRAPH_EVENTS + 1) * sizeof *p->set);
	p->alive = take_rf_memory(&at, (GRAPH_EVENTS + 1) * sizeof *p->alive);
	p->id = take_rf_memory(&at, GRAPH_THREADS * sizeof *p->id);
	p->bucket = take_rf_memory(&at, RF_BUCKETS * sizeof *p->bucket);
	p->access = take_rf_memory(&at, PLACES_MAX);
	p->kept = take_rf_memory(&at, (GRAPH_EVENTS + 1) * sizeof *p->kept);
	p->pushed = take_rf_memory(&at, (GRAPH_EVENTS + 1) * sizeof *p->pushed);
	p->seen = take_rf_memory(&at, RF_SEEN * sizeof *p->seen);
	p->order = take_rf_memory(&at, (GRAPH_EVENTS + 1) * sizeof *p->order);
	p->name = take_rf_memory(&at, 2 * GRAPH_EVENTS * sizeof *p->name);
	verify = (verify_memory(VERIFY_EVENTS, VERIFY_THREADS, PLACES_MAX) + VERIFY_STATES + 63) &
		 ~(size_t)63;
	BUG_ON(at + verify > end);
	verify_init(&p->verify, at, verify, VERIFY_EVENTS, VERIFY_THREADS, PLACES_MAX);
	at += verify;
	rest = (size_t)(end - at) / 16;
	p->arena = at;
	p->arena_size = rest < UINT32_MAX ? (u32)rest : UINT32_MAX;
}
