/* SPDX-License-Identifier: ISC */
/*
 * trust.c - TruSt: every consistent execution graph of a program, each once.
 *
 * Idea.   Add one event at a time; a read tries every write that it may read from, a write every
 *         position in co. A write also *revisits* the reads that could have read from it: the graph
 *         is cut back to the events before the read and the causes of the write, and explored anew.
 *         A revisit is made only from the graph in which all cut events were added in the canonical
 *         (maximal) way; so no graph is reached twice and no visited graph need be stored.
 * How.    Forward choices are changed in place: an event has the choices tried, and is removed
 *         after the last one. Only a revisit copies the graph, on a stack, and restores it.
 * Waits.  A lock that is taken, an awaited value that is absent, a spin loop's iteration without
 *         effect: the operation is *not ready*. Its thread is blocked until the co-last write makes
 *         it ready; when no other thread is enabled either, it tries older writes. If a revisit
 *         makes a read not ready, it stays (E_WAIT): its thread waits for another revisit. At a
 *         synchronisation object, whose operations are totally ordered, this is unnecessary: the
 *         thread repeats the operation once it is ready, and leaves a mark that models ignore.
 *
 * Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly stateless, optimal dynamic partial order
 * reduction, POPL 2022.
 */
#include "trust/trust_priv.h"
#include "trust/trust_pieces.h"
#include "trust/trust_symmetry.h"
#include "trust/estimate.h"
#include "trust/trust_cut.h"

/* --- back ------------------------------------------------------------------------------------ */

bool trust_advance(struct trust *x, u32 e)
{
	struct graph *g = &x->graph;
	struct gevent *ev = &g->event[e];

	if (unlikely(g->mixed)) {
		pieces_changes(g, e);
		if (pieces_are_of(g, e))
			return pieces_advance(x, e);
	}
	if (ev->flags & E_PLAIN)
		return x->rf && ev->flags & E_READ && !(ev->flags & E_HEAP) &&
		       class_next_plain(x, e);
	if (ev->type == LABEL_CHOOSE) {
		if (ev->value + 1 >= trust_choices(x, e))
			return false;
		graph_changes(g, e);
		ev->stamp = ++x->stamp;
		step_to(x, ev->thread, ev->node, ++ev->value);
		return true;
	}
	if (ev->flags & E_READ)
		return trust_next_source(x, e);
	if (!(ev->flags & E_WRITE))
		return false;
	if (ev->state != STATE_REVISITS) {
		if (ev->state == STATE_PLACES && trust_rare_failure(x, ev->cursor, e))
			return true;
		if (x->answer != ANSWER_LABEL)
			return false;
		if (!x->rf && trust_move_earlier(x, e))
			return true;
		if (ev->state == STATE_PLACES || x->answer != ANSWER_LABEL)
			return false;
		ev->state = STATE_REVISITS;
		ev->cursor = (u16)(e - 1);
	}
	return trust_next_revisit(x, e);
}

/* Has another worker taken the rest of the saved graph, with all below it? */
static bool was_given(const struct trust *x)
{
	for (u32 i = 0; i < x->ngiven; i++) {
		if (x->given[i] == trust_level(x)->number)
			return true;
	}
	return false;
}

/* Return to the last saved graph: the revisits by its last event have been explored. */
static void go_back(struct trust *x)
{
	u64 leaves = trust_leaves(x) - trust_level(x)->leaves;
	u32 base = x->base;

	trust_pop(x);
	if (x->estimate)
		estimate_back(x->estimate, base + 1, x->graph.n, leaves);
}

/* Remove an event with no choice left. True: continue from the graph without it. */
static inline bool take_back_event(struct trust *x)
{
	if (unlikely(x->graph.mixed) && x->graph.event[x->graph.n].flags & E_PIECE)
		return pieces_pop(x);
	graph_pop(&x->graph);
	return false;
}

/* Go to the next unexplored graph; false: there is none, or the program must be asked again
 * (x->answer). */
static bool back(struct trust *x)
{
	x->halves = true;
	for (;;) {
		while (x->graph.n > x->base) {
			u32 e = x->graph.n, depth = x->depth, choices = x->graph.event[e].choices;
			bool more;

			if (x->estimate)
				estimate_end(x->estimate, e, trust_leaves(x));
			more = trust_advance(x, e);
			if (more && unlikely(x->cut))
				cut_turn(x, choices, x->depth != depth || x->graph.n != e);
			if (more && x->estimate)
				estimate_begin(x->estimate, x->graph.n, trust_leaves(x));
			if (more && !((x->graph.n != e || x->graph.event[e].flags & E_READ) &&
					    trust_races(x, x->graph.n)) &&
				(likely(!x->symmetric) || symmetry_keeps(x, GRAPH_THREADS)))
				return true;
			if (x->answer != ANSWER_LABEL)
				return false;
			if (!more && take_back_event(x)) {
				if (unlikely(x->cut))
					cut_turn(x, choices - 1, false);
				return true;
			}
		}
		if (!x->depth || was_given(x))
			return false;
		go_back(x);
	}
}

/* --- the loop -------------------------------------------------------------------------------- */

/* Has thread t nothing left to do? A quick check, which may say no. */
static inline bool is_quiet_thread(const struct trust *x, u32 t)
{
	const struct gthread *th = &x->graph.thread[t];

	return th->ended || (x->cache.node[th->node].quiet == QUIET_YES && !x->no_cache);
}

/* Is e the read of an RMW whose write was cut, or removed? */
static bool is_half(const struct graph *g, u32 e)
{
	const struct gevent *ev = &g->event[e];

	return (ev->flags & (E_READ | E_EXCL | E_WAIT)) == (E_READ | E_EXCL) && !ev->po_next;
}

/* Thread t is after such a read. */
static void complete_half(struct trust *x, u32 t)
{
	u32 e = x->graph.thread[t].last;
	const struct gevent *ev = &x->graph.event[e];
	const struct label *l = trust_label(x, e);
	u64 value = ev->flags & E_PIECE ? graph_access_value(&x->graph, e, l->loc) : ev->value;
	struct effect f = effect_of(l, t, value, false);

	step_to(x, t, ev->node, f.key);
}

/* Complete an access of which a part has been cut or removed; *possible: does a completion exist?
 * False: no access is incomplete. */
static inline bool complete_one(struct trust *x, bool *possible)
{
	struct graph *g = &x->graph;

	for (u32 t = 0; t < g->nthreads; t++) {
		u32 last = g->thread[t].last;

		if (unlikely(g->mixed)) {
			if (g->event[last].flags & E_PIECE && pieces_partial(x, last)) {
				*possible = pieces_complete(x, t);
				return true;
			}
			if (pieces_hang(g, t))
				continue;
		}
		if (is_half(g, last)) {
			complete_half(x, t);
			*possible = trust_forward_excl(x, last);
			return true;
		}
	}
	return false;
}

/* The execution has more events than a graph holds: it does not count, and the search is not
 * complete. */
static bool too_long(struct trust *x)
{
	if (likely(!trust_is_long(x)))
		return false;
	x->blocked++;
	if (!x->program->leaf(x->program, &x->graph, LEAF_BLOCKED, 0, 0))
		trust_stop(x);
	return true;
}

/* An upper bound of the nodes added between two checks of the cache's room, besides one for each
 * write that a read tries. */
#define CACHE_MARGIN 16384

void trust_make_room(struct trust *x)
{
	if (unlikely(cache_is_full(&x->cache, CACHE_MARGIN + x->graph.n)))
		trust_forget(x);
}

/* Thread t is at a finding: do the others continue? */
static bool passes_failure(struct trust *x, u32 t)
{
	if (unlikely(x->graph.mixed) && pieces_any_hang(&x->graph))
		return true;
	if (unlikely(x->awaiting) && !await_leaf(x))
		return false;
	x->failing++;
	if (!x->program->leaf(x->program, &x->graph, LEAF_FAIL, t, 0)) {
		trust_stop(x);
		return false;
	}
	if (trust_thread_state(x, t) != THREAD_BLOCKED)
		return false;
	x->failing--;
	return true;
}

/*
 * Is the thread of the last event certain to be chosen again? It was the first enabled thread, and
 * its event, a read, enables no other thread. Or it joined a thread while no other was enabled, and
 * joins the next.
 */
static bool forward_goes_on(struct trust *x, const struct gevent *last)
{
	if (last->type == LABEL_JOIN)
		return trust_thread_state(x, last->thread) == THREAD_JOINING;
	return (last->flags & (E_READ | E_EXCL | E_WAIT)) == E_READ && !x->graph.nmarks &&
	       !x->polled && !x->rf && !x->graph.mixed &&
	       trust_thread_state(x, last->thread) == THREAD_READY;
}

/* Is the next event determined, whichever threads are enabled? *good: trust_forward()'s result. */
static inline bool step_at_once(struct trust *x, bool *good)
{
	struct graph *g = &x->graph;
	const struct gevent *last = &g->event[g->n];

	if (last->flags & E_EXCL && last->flags & E_READ &&
		!(unlikely(g->mixed) && pieces_hang(g, last->thread))) {
		*good = trust_forward_excl(x, g->n) && !trust_races(x, g->n);
		return true;
	}
	if (x->halves && (x->updates || g->mixed) && complete_one(x, good)) {
		*good = *good && !trust_races(x, g->n);
		return true;
	}
	x->halves = false;
	if (last->type == LABEL_CREATE && !g->thread[last->value].n) {
		*good = trust_thread_state(x, (u32)last->value) == THREAD_READY &&
			trust_forward(x, (u32)last->value);
		return true;
	}
	if (forward_goes_on(x, last)) {
		*good = trust_forward(x, last->thread);
		return true;
	}
	for (u32 t = 0; g->nmarks && t < g->nthreads; t++) {
		/* Continue as if the waiting operation had been performed at its mark. */
		if (g->thread[t].last && gevent_is_mark(&g->event[g->thread[t].last]) &&
			trust_thread_state(x, t) == THREAD_READY) {
			*good = trust_forward(x, t);
			return true;
		}
	}
	*good = false;
	return x->answer != ANSWER_LABEL;
}

/* One step: forward by an event, or a leaf. False: go back. */
static bool step(struct trust *x)
{
	struct disabled s = {.joining = 0};
	bool good;

	if (unlikely(too_long(x)))
		return false;
	if (step_at_once(x, &good))
		return good;
	for (u32 i = 0; i < x->graph.nthreads; i++) {
		u32 t = trust_nth_thread(x, i);

		if (is_quiet_thread(x, t))
			continue;
		switch (trust_thread_state(x, t)) {
		case THREAD_READY:
			return trust_forward(x, t);
		case THREAD_JOINING:
			s.joining |= 1ull << t;
			break;
		case THREAD_WAITING:
			s.waiting |= 1ull << t;
			break;
		case THREAD_FAILED:
			if (x->answer != ANSWER_LABEL || !passes_failure(x, t))
				return false; /* fall through */
		case THREAD_AGAIN:
		case THREAD_BLOCKED:
			s.blocked |= 1ull << t;
			break;
		case THREAD_ENDED:
			break;
		}
		if (x->answer != ANSWER_LABEL)
			return false;
	}
	return trust_step_stuck(x, &s);
}

/* step(), of the graphs that symmetry keeps. */
static bool step_symmetric(struct trust *x)
{
	u32 n = x->graph.n;

	if (!step(x) || x->answer != ANSWER_LABEL)
		return false;
	for (u32 e = n + 1; e <= x->graph.n; e++)
		symmetry_notice(x, e);
	return x->answer == ANSWER_LABEL &&
	       symmetry_keeps(x, x->graph.event[x->graph.n].thread);
}

void trust_run(struct trust *x)
{
	x->answer = ANSWER_LABEL;
	trust_set_awaiting(x); /* other processes may know more */
	while (!x->over && !trust_enough(x)) {
		bool reported = x->reported;

		x->reported = false;
		if (!reported)
			INVARIANT(trust_check(x));
		trust_make_room(x);
		if ((reported || (unlikely(x->cut) && cut_reached(x)) ||
			    !(unlikely(x->symmetric) ? step_symmetric(x) : step(x))) &&
			x->answer == ANSWER_LABEL)
			x->over = !back(x) && x->answer == ANSWER_LABEL;
		else if (x->estimate)
			estimate_begin(x->estimate, x->graph.n, trust_leaves(x));
		if (x->answer == ANSWER_STOP || (x->answer == ANSWER_RESTART && x->fixed))
			return;
		if (x->answer == ANSWER_RESTART) {
			x->restarts++;
			trust_begin(x);
		}
	}
}
