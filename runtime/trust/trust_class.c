/* SPDX-License-Identifier: ISC */
/*
 * trust_class.c - TruSt for reads-from equivalence: each reads-from that some co makes consistent,
 * once.
 *
 * Graphs consist of po and rf alone. A graph's co is an arbitrary witness (model/co_solver.h)
 * without influence; no write is tried in two places. The role of co is taken by:
 *
 *     last(P, x)   among the writes of x that are last in some co with which P is consistent: of
 *                  those of the highest thread, the latest. A function of P as a set of events with
 *                  sources, independent of the path to it.
 *
 * A new read reads from last() first, then from every other possible source; a read is ready if it
 * is with last() as its source; a read that a revisit would cut is canonical if it reads last() of
 * the events before it and of the causes of the revisiting write. At synchronisation objects, and
 * wherever else the writes form one chain of RMWs, last() is the co-last write, as in trust.c.
 *
 * Why each class is reached exactly once. Reading the last write of a witness is always consistent,
 * and so is a write put last; so last() is an extension in the sense of TruSt (trust/trust.h), and
 * without an event that nothing depends on, a graph stays consistent. Let the graph H come from a
 * revisit of r by a. Then the graph before the revisit is determined: the events before r, the
 * causes of a, and, in the order in which threads are extended, r and the cut events, each reading
 * from last() of the events so far and of the causes of a. That graph exists, is consistent and
 * leads to a, so H is reached; and as no other graph makes this revisit, H is reached once.
 * Forward, an event is added in one way only.
 *
 * Reads that wait. In rf+co a thread waits for a write other than the co-last one. Here several
 * writes can be last, and a read that would be cut may, canonically, wait with a source that is not
 * last() yet. So waiting with a source is a choice like others, for each source that can be last; a
 * source that cannot be last now never will be. A graph is stuck if in some co the sources of all
 * waiting reads are last.
 */
#include "trust/trust_priv.h"

/* Later in the order from which last() is taken. The initial write comes first. */
static u32 rank(const struct graph *g, u32 w)
{
	return w ? (u32)g->event[w].thread << 16 | g->event[w].index : 0;
}

/* The highest write of the location below that rank; if `ends`, of those that no RMW has taken.
 * 0 = none. */
static u32 highest(const struct graph *g, u32 loc, u32 below, bool ends)
{
	u32 best = 0, next = 0;

	for (u32 w = g->place[loc].co_last; w; next = w, w = g->event[w].co_prev) {
		if (ends && next && g->event[next].flags & E_EXCL)
			continue;
		if (rank(g, w) < below && rank(g, w) > rank(g, best))
			best = w;
	}
	return best;
}

/* An answer of x->coherence; false also if it has given up. */
static bool noted(struct trust *x, bool yes)
{
	if (unlikely(x->coherence.undecided))
		x->bounded |= TRUST_ORDER;
	return yes;
}

bool class_read(struct trust *x, u32 e, u32 also)
{
	return noted(x, co_solver_read(&x->coherence, &x->graph, e, also));
}

bool class_write(struct trust *x, u32 e)
{
	return noted(x, co_solver_write(&x->coherence, &x->graph, e));
}

static bool can_be_last(struct trust *x, u32 w)
{
	u16 one[1] = {(u16)w};

	return w && noted(x, co_solver_last(&x->coherence, &x->graph, one, 1));
}

u32 class_last(struct trust *x, u32 loc)
{
	struct graph *g = &x->graph;
	u32 below = UINT32_MAX, w;

	if (loc >= g->nplaces)
		return 0;
	for (;;) {
		w = highest(g, loc, below, true);
		if (w == g->place[loc].co_last || can_be_last(x, w))
			return w;
		below = rank(g, w);
	}
}

/* --- canonical events ------------------------------------------------------------------------ */

/* Is e one of the events up to number `at`, or of this clock? */
static bool is_earlier_or_cause(const struct graph *g, u32 e, u32 at, const u16 *clock)
{
	return e <= at || (e != g->n && clock_has(g, clock, e));
}

/* The write that is last among them in the co at hand. */
static u32 last_of_witness(const struct graph *g, u32 loc, u32 at, const u16 *clock)
{
	u32 w = g->place[loc].co_last;

	while (!is_earlier_or_cause(g, w, at, clock))
		w = g->event[w].co_prev;
	return w;
}

/* Is there a higher write than w among them that may be last? A quick check, which may say yes. */
static bool has_higher(const struct graph *g, u32 w, u32 loc, u32 at, const u16 *clock)
{
	for (u32 next = 0, v = g->place[loc].co_last; v; next = v, v = g->event[v].co_prev) {
		if (rank(g, v) <= rank(g, w) || !is_earlier_or_cause(g, v, at, clock))
			continue;
		if (next && g->event[next].flags & E_EXCL &&
			is_earlier_or_cause(g, next, at, clock))
			continue;
		if (!graph_known(g, graph_hb(g, w), loc, v))
			return true;
	}
	return false;
}

/* The read i reads from w. Is w the last() of the events before i and the causes of the last
 * event? */
static bool is_last_there(struct trust *x, u32 i, u32 w)
{
	struct graph *g = &x->graph;
	struct aside *aside;
	u32 loc = g->event[i].loc, wanted = rank(g, w);
	u16 clock[GRAPH_THREADS] __attribute__((aligned(16)));
	bool result;

	clock_copy(clock, graph_cause(g, g->event[g->n].po_prev), g->lanes);
	trust_close(x, clock, i);
	aside = trust_put_aside(x);
	if (unlikely(!aside)) {
		x->bounded |= TRUST_DEPTH;
		return false;
	}
	graph_keep(g, i, clock);
	result = rank(g, class_last(x, loc)) == wanted;
	trust_take_back(x, aside);
	return result;
}

bool class_canonical_perhaps(const struct graph *g, u32 i, const u16 *clock)
{
	const struct gevent *e = &g->event[i];

	if (e->type == LABEL_CHOOSE)
		return !e->value;
	if (e->flags & E_WRITE) {
		for (u32 r = e->readers; r; r = g->event[r].reader_next) {
			if (r < i)
				return false; /* it has revisited r */
		}
		return true;
	}
	return !(e->flags & E_READ) ||
	       (!(e->flags & E_RARE) && (e->rf <= i || clock_has(g, clock, e->rf)));
}

bool class_canonical(struct trust *x, u32 i, const u16 *clock)
{
	struct graph *g = &x->graph;
	const struct gevent *e = &g->event[i];
	u32 w = e->rf, last;

	if (!(e->flags & E_READ) || !class_canonical_perhaps(g, i, clock))
		return class_canonical_perhaps(g, i, clock);
	last = last_of_witness(g, e->loc, i, clock);
	if (rank(g, last) > rank(g, w) || (!w && last))
		return false;
	if (last == w && !has_higher(g, w, e->loc, i, clock))
		return true;
	return is_last_there(x, i, w);
}

/* --- sources of a read ----------------------------------------------------------------------- */

/* e waits, with this source. */
static void set_waits(struct trust *x, u32 e, u32 w, const struct label *l, u32 state)
{
	struct graph *g = &x->graph;

	trust_set_read(x, e, w, l, (struct effect){.ready = false});
	graph_set_flags(g, e, g->event[e].flags | E_WAIT);
	g->event[e].state = (u8)state;
	g->thread[g->event[e].thread].node = g->event[e].node;
}

/* The source after the current one: last() came first, then the others, highest first. */
static bool next_write(const struct graph *g, const struct gevent *ev, u32 *w)
{
	u32 first = ev->cursor, below = ev->rf == first ? UINT32_MAX : rank(g, ev->rf);

	if (!below || !first)
		return false;
	*w = highest(g, ev->loc, below, false);
	if (*w == first)
		*w = highest(g, ev->loc, rank(g, first), false);
	return true;
}

static bool offer_plain(struct trust *x, u32 e, u32 w)
{
	struct graph *g = &x->graph;
	struct gevent *ev = &g->event[e];

	graph_set_source(g, e, w);
	ev->value = graph_write_value(g, w, ev->loc);
	ev->stamp = ++x->stamp;
	graph_clocks(g, e);
	step_to(x, ev->thread, ev->node, ev->value);
	return class_read(x, e, 0);
}

/* May e read from w? waits: it may also wait with that source. */
static bool offer_source(struct trust *x, u32 e, u32 w, bool waits)
{
	struct graph *g = &x->graph;
	struct gevent *ev = &g->event[e];
	const struct label *l = trust_label(x, e);
	struct effect f = effect_of(l, ev->thread, graph_write_value(g, w, ev->loc), false);
	bool half = f.excl && consumed(g, w, ev->loc), good;

	if (ev->flags & E_PLAIN)
		return offer_plain(x, e, w);
	trust_set_read(x, e, w, l, f);
	good = class_read(x, e, 0);
	if (!good && !(l->flags & LABEL_WEAK))
		return false;
	if (trust_read_from(x, e, w, false))
		return good || trust_rare_failure(x, e, e);
	if (x->answer != ANSWER_LABEL || !waits || half || !can_be_last(x, w))
		return false;
	set_waits(x, e, w, l, STATE_WAIT_LEAF);
	return true;
}

/* The next of them that e can read from. */
static bool older_candidate(struct trust *x, u32 e, bool waits)
{
	u32 w;

	while (next_write(&x->graph, &x->graph.event[e], &w)) {
		if (offer_source(x, e, w, waits))
			return true;
		if (x->answer != ANSWER_LABEL)
			return false;
	}
	return false;
}

bool class_next_source(struct trust *x, u32 e)
{
	struct gevent *ev = &x->graph.event[e];

	if (ev->state == STATE_WAIT_MARK)
		return false;
	if (ev->state != STATE_WAIT_LEAF && trust_rare_failure(x, e, e))
		return true;
	if (x->answer != ANSWER_LABEL)
		return false;
	ev->state = STATE_FRESH;
	return older_candidate(x, e, true);
}

/* The same for a plain read. If it races, and races are ignored, there is no choice. */
bool class_next_plain(struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;

	for (u32 w = g->place[g->event[e].loc].co_last; w; w = g->event[w].co_prev) {
		if (!clock_has(g, clock_before(g, e), w))
			return false;
	}
	return older_candidate(x, e, false);
}

bool class_forward_wait(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 e, node = g->thread[t].node, first = class_last(x, l->loc);
	bool found;

	e = graph_push(g, t, l, node, E_READ);
	g->event[e].cursor = (u16)first;
	trust_set_read(x, e, first, l, (struct effect){.ready = false});
	found = older_candidate(x, e, false);
	if (x->answer != ANSWER_LABEL)
		return false;
	if (!found) {
		graph_pop(g);
		return false;
	}
	set_waits(x, e, first, l, STATE_WAIT_LEAF);
	return true;
}

/* --- revisits -------------------------------------------------------------------------------- */

bool class_revisit_read(struct trust *x, u32 r, u32 a)
{
	struct graph *g = &x->graph;

	g->event[r].state = STATE_FRESH;
	if (trust_read_from(x, r, a, false))
		return !g->event[a].co_next || class_read(x, r, a) ||
		       trust_rare_failure(x, r, a);
	if (x->answer != ANSWER_LABEL)
		return false;
	set_waits(x, r, a, trust_label(x, r), STATE_WAIT_MARK);
	return can_be_last(x, a);
}

/* --- is the execution stuck for ever? --------------------------------------------------------- */

struct stuck {
	struct trust *x;
	u32 n;
	u16 last[GRAPH_THREADS * 2]; /* writes that have to be the last */
};

/* w, of location loc, has to be the last. False: it cannot. */
static bool demand_write(struct stuck *s, u32 w, u32 loc)
{
	const struct graph *g = &s->x->graph;

	if (!w)
		return !g->place[loc].co_first;
	for (u32 i = 0; i < s->n; i++) {
		if (g->event[s->last[i]].loc == loc)
			return s->last[i] == w;
	}
	if (s->n == array_size(s->last))
		return false;
	s->last[s->n++] = (u16)w;
	return true;
}

/* Likewise for the sources of the last so many reads of thread t. */
static bool demand_class_reads(struct stuck *s, u32 t, u64 reads)
{
	const struct graph *g = &s->x->graph;

	for (u32 e = g->thread[t].last; e && reads; e = g->event[e].po_prev) {
		const struct gevent *ev = &g->event[e];

		if (!(ev->flags & E_READ))
			continue;
		if (!place_is_tally(g->places, ev->loc) &&
			(ev->flags & E_RARE || !demand_write(s, ev->rf, ev->loc)))
			return false;
		reads--;
	}
	return true;
}

static bool all_wait(struct stuck *s, u32 t);

/* Thread t waits for a source other than w: do it and the threads after it wait for ever? */
static bool waits_with(struct stuck *s, u32 t, const struct label *l, u32 w)
{
	struct trust *x = s->x;
	const struct graph *g = &x->graph;
	u32 last = g->thread[t].last, n = s->n, reads;
	const struct label *next;
	bool result;

	if (!demand_write(s, w, l->loc))
		return false;
	next = trust_label_after(x, t, l, w);
	reads = (u32)next->value;
	if (reads && !(last && g->event[last].flags & E_WAIT))
		reads--;
	result = next->type == LABEL_SPIN && demand_class_reads(s, t, reads) && all_wait(s, t + 1);
	s->n = result ? s->n : n;
	return result;
}

/* The same for every kind of wait. */
static bool waits(struct stuck *s, u32 t, const struct label *l)
{
	const struct graph *g = &s->x->graph;
	u32 last = g->thread[t].last;

	if (last && g->event[last].flags & E_WAIT)
		return waits_with(s, t, l, g->event[last].rf);
	if (!g->place[l->loc].co_first)
		return waits_with(s, t, l, 0);
	for (u32 w, below = UINT32_MAX; (w = highest(g, l->loc, below, true)); below = rank(g, w)) {
		if (waits_with(s, t, l, w))
			return true;
	}
	return false;
}

/* Do the threads from t on wait for ever, in some co? */
static bool all_wait(struct stuck *s, u32 t)
{
	struct trust *x = s->x;
	u32 n = s->n;

	for (; t < x->graph.nthreads; t++) {
		enum thread_state how = trust_thread_state(x, t);
		const struct label *l;

		if (x->answer != ANSWER_LABEL)
			return false;
		if (how == THREAD_ENDED || how == THREAD_JOINING)
			continue;
		l = label_of(x, t);
		if (label_is_last(l))
			return false;
		if (l->type == LABEL_SPIN && !demand_class_reads(s, t, l->value)) {
			s->n = n;
			return false;
		}
		if (how == THREAD_WAITING && label_reads(l) && l->type != LABEL_SYNC) {
			bool result = waits(s, t, l);

			s->n = result ? s->n : n;
			return result;
		}
	}
	return co_solver_sc(&x->coherence, &x->graph, s->last, s->n) ||
	       noted(x, co_solver_last(&x->coherence, &x->graph, s->last, s->n));
}

void trust_prefer_sc(struct trust *x)
{
	if (x->rf)
		co_solver_sc(&x->coherence, &x->graph, NULL, 0);
}

bool class_stuck(struct trust *x)
{
	struct stuck s = {.x = x};

	return all_wait(&s, 0);
}
