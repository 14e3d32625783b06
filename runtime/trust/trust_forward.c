/* SPDX-License-Identifier: ISC */
/* trust_forward.c - the next event of a thread, with the first of its choices; further sources of a
 * read. */
#include "trust/estimate.h"
#include "trust/trust_past.h"
#include "trust/trust_pieces.h"
#include "trust/trust_priv.h"
#include "trust/trust_symmetry.h"

static u64 rare_failures(const struct graph *g)
{
	u64 n = 0;

	for (u32 i = 1; i <= g->n; i++)
		n += g->event[i].flags & E_RARE && graph_half_first(g, i) == i;
	return n;
}

bool trust_rare_allowed(struct trust *x)
{
	if (x->weak_cas == TRUST_ANY || rare_failures(&x->graph) < x->weak_cas)
		return true;
	x->bounded |= TRUST_RARE;
	return false;
}

bool trust_rare_failure(struct trust *x, u32 e, u32 changed)
{
	struct gevent *ev = &x->graph.event[e];
	const struct label *l = trust_label(x, e);

	if (!(l->flags & LABEL_WEAK) || !(ev->flags & E_EXCL) || ev->flags & E_RARE ||
		!trust_rare_allowed(x))
		return false;
	return trust_read_from(x, e, ev->rf, true) &&
	       ((ev->rf == x->graph.place[ev->loc].co_last && !x->graph.mixed) ||
		       consistent(x, e, e == changed ? 0 : changed));
}

bool trust_older_source(struct trust *x, u32 e)
{
	struct graph *g = &x->graph;
	struct gevent *ev = &g->event[e];
	const u16 *clock = clock_before(g, e);
	u32 w = ev->rf;

	while (!graph_known(g, clock, ev->loc, w)) {
		w = g->event[w].co_prev;
		if (trust_taken_blocked(x, e, w)) {
			if (x->answer != ANSWER_LABEL)
				return false;
			continue;
		}
		if (!trust_read_from(x, e, w, false)) {
			if (x->answer != ANSWER_LABEL)
				return false;
			continue;
		}
		if ((!x->rf && ev->flags & E_EXCL && consumed(g, w, ev->loc)) ||
			consistent(x, e, 0) || trust_rare_failure(x, e, e))
			return true;
	}
	return false;
}

bool trust_next_source(struct trust *x, u32 e)
{
	struct gevent *ev = &x->graph.event[e];

	if (unlikely(x->rf) && !(ev->flags & E_SYNC))
		return class_next_source(x, e);
	if (ev->state == STATE_WAIT_MARK)
		return false;
	if (ev->state != STATE_WAIT_LEAF && trust_rare_failure(x, e, e))
		return true;
	ev->state = STATE_FRESH;
	return trust_older_source(x, e);
}

static bool forward_read(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 w = first_source(x, l), e = graph_push(g, t, l, g->thread[t].node, E_READ);

	g->event[e].cursor = (u16)w;
	if (!trust_read_from(x, e, w, false))
		return x->answer == ANSWER_LABEL && trust_next_source(x, e);
	return true;
}

static void forward_plain(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node, e, w;

	if (l->type == LABEL_PLAIN_READ) {
		w = first_source(x, l);
		e = graph_push(g, t, l, node, graph_read_flags(g->model, l, false));
		g->event[e].cursor = (u16)w;
		graph_set_source(g, e, w);
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

void trust_forward_write(struct trust *x, u32 t, const struct label *l)
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

u32 trust_push_excl(struct trust *x, u32 read)
{
	struct graph *g = &x->graph;
	const struct label *l = trust_label(x, read);
	u32 t = g->event[read].thread, node = g->thread[t].node, e;
	u64 old = g->event[read].value;
	u16 flags = graph_write_flags(g->model, l, true);

	if (l->type == LABEL_SYNC && (g->model->has_store_fences ||
			object_step(l->op, l->value, t, old).release))
		flags |= E_RELEASE;
	e = graph_push(g, t, l, g->event[read].node, flags);
	g->thread[t].node = node;
	g->event[e].value = written_value(g, l, t, old);
	g->event[e].stamp = ++x->stamp;
	graph_clocks(g, e);
	return e;
}

bool trust_forward_excl(struct trust *x, u32 read)
{
	struct graph *g = &x->graph;
	u32 w = g->event[read].rf, e;
	bool taken;

	if (unlikely(g->event[read].flags & E_PIECE))
		return pieces_forward_excl(x, read);
	taken = consumed(g, w, g->event[read].loc);
	e = trust_push_excl(x, read);
	g->event[e].state = STATE_REVISITS;
	g->event[e].cursor = (u16)(e - 1);
	if (taken)
		return false;
	graph_co_insert(g, e, w);
	return !g->event[e].co_next || (x->rf ? class_write(x, e) : graph_consistent(g, e, 0));
}

/* The thread that e creates exists. False: it needs wider clocks, and the search begins again. */
static bool add_created(struct trust *x, u32 e, u32 slot)
{
	struct graph *g = &x->graph;

	g->event[e].value = slot;
	if (slot >= g->lanes) {
		g->lanes = (slot + CLOCK_LANES) / CLOCK_LANES * CLOCK_LANES;
		x->answer = ANSWER_RESTART;
		return false;
	}
	g->thread[slot] = (struct gthread){
		.create = (u16)e, .node = cache_root(slot), .twin = symmetry_twin(x, e)};
	if (slot >= g->nthreads)
		g->nthreads = slot + 1u;
	return true;
}

/* The arrivals at the barrier of e that come before it. */
static u32 known_arrivals(const struct graph *g, u32 e)
{
	u32 n = 0;

	for (u32 i = g->event[e].loc_prev; i; i = g->event[i].loc_prev)
		n += g->event[i].type == LABEL_ARRIVE && clock_has(g, clock_before(g, e), i);
	return n;
}

void trust_forward_other(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node;
	u32 e = graph_push(g, t, l, node, graph_other_flags(g->model, l));
	struct gevent *ev = &g->event[e];
	u64 key = 0;

	switch (l->type) {
	case LABEL_CREATE:
		if (!add_created(x, e, l->other))
			return;
		break;
	case LABEL_START:
		if (g->thread[t].create)
			graph_set_source(g, e, g->thread[t].create);
		key = ev->value =
			ev->rf ? trust_label(x, ev->rf)->value : 0; /* its argument */
		break;
	case LABEL_JOIN:
		graph_set_source(g, e, g->thread[l->other].last);
		key = ev->value = trust_label(x, ev->rf)->value; /* the thread's result */
		break;
	case LABEL_END:
		g->thread[t].ended = true;
		break;
	case LABEL_ARRIVE: /* the first round that is not known to be complete */
		key = ev->value = trust_barrier_overflow(x, e);
		ev->round = key ? 0 : (u16)(known_arrivals(g, e) / l->value + 1);
		break;
	case LABEL_LEAVE:
		ev->round = g->event[ev->po_prev].round;
		break;
	case LABEL_CLOCK:
		key = graph_time(g, graph_cause(g, ev->po_prev)) + l->expected;
		key = ev->value = key > l->value ? key : l->value;
		break;
	}
	ev->stamp = ++x->stamp;
	graph_clocks(g, e);
	if (unlikely(l->type == LABEL_CHOOSE && l->op == LABEL_CALLED))
		key = trust_past(x, e);
	step_to(x, t, node, key);
}

/* The end of thread t is an event once it is joined. */
static void forward_end(struct trust *x, u32 t)
{
	trust_forward_other(x, t, label_of(x, t));
	if (x->estimate)
		estimate_begin(x->estimate, x->graph.n, trust_leaves(x));
}

bool trust_forward(struct trust *x, u32 t)
{
	const struct label *l = label_of(x, t);
	u32 e;

	if (l->type == LABEL_JOIN && !x->graph.thread[l->other].ended)
		forward_end(x, l->other);
	if (graph_has_time(&x->graph) && trust_is_due(x, l))
		return trust_wake(x, t);
	e = x->graph.n + 1;
	graph_know_place(&x->graph, l->loc);
	if (unlikely(label_has_pieces(l)))
		return pieces_forward(x, t, l) && !trust_races(x, e);
	switch (l->type) {
	case LABEL_READ:
	case LABEL_RMW:
	case LABEL_CAS:
	case LABEL_SYNC:
		if (unlikely(x->awaiting) && l->type == LABEL_SYNC)
			await_notice(x, l);
		if (x->answer != ANSWER_LABEL || !forward_read(x, t, l))
			return false;
		break;
	case LABEL_WRITE:
		trust_forward_write(x, t, l);
		break;
	case LABEL_PLAIN_READ:
	case LABEL_PLAIN_WRITE:
		forward_plain(x, t, l);
		break;
	default:
		trust_forward_other(x, t, l);
		return true;
	}
	return !trust_races(x, e);
}
