/* SPDX-License-Identifier: ISC */
/*
 * verify.c - reads-from consistency under SC, TSO and PSO: questions, stages, witnesses. See
 * verify.h.
 *
 * A question goes through up to four stages. (1) verify_instance.c brings it into normal form and
 * checks each thread alone. (2) A probe: the search without backtracking, which most instances with
 * a schedule pass. (3) verify_closure.c: the order of events implied by the sources, which has a
 * cycle for most instances without a schedule. (4) The search, which respects that order.
 *
 * The search (verify_search.c) is depth first over states, with a trail: the steps done so far are
 * the witness. It is the paper's two strategies. TSO (and SC, which is TSO with every store
 * committed at once) runs threads as far as possible and chooses which thread commits next; PSO
 * chooses the read or fence for which commits are made. Both take safe steps at once: all ops that
 * need no commit, RMWs, commits that no event will read.
 *
 * Differences from the paper, all under PSO: instances with a schedule for which the paper's
 * VerifyPSO finds none. tests/unit/t_verify.c has the smallest instance of each.
 *
 *     RMWs          There, states that differ in stores stuck in buffers count as the same until a
 *                   fence; but an RMW's write goes to memory at once, and cannot wait for stuck
 *                   stores before it. The locations of stuck stores are part of the key of a state
 *                   (rmw_key).
 *     fence map     Condition (2) leaves out reads of the waiting thread's and the reading thread's
 *                   own stores. The reading thread's own store may be in memory for a third one's
 *                   sake, and hold its location: such reads count (verify_pso.c; test
 *                   fence_map_own).
 *     store fences  The sketch in appendix A.3 commits as late as possible, as it does without
 *                   them. But a store without readers that a later fence waits for may have to
 *                   reach memory before another thread's store to its location, and then the stores
 *                   before its store fence have to be early, too. So there is one more choice, to
 *                   end the epoch of a thread: commit all its stores before the next store fence
 *                   (early_epoch). And two states with the same ops done are the same only if their
 *                   threads are in the same epochs (epochs).
 */
#include "verify/verify_state.h"

/* Take n bytes for an array of an instance; base NULL: only count. */
static void *take_array(u8 *base, size_t *used, size_t n)
{
	void *at = base ? base + *used : NULL;

	*used += (n + 63) & ~(size_t)63;
	return at;
}

#define TAKE(field, count) ((field) = take_array(base, &used, (count) * sizeof *(field)))

static size_t max_vars(const struct verify_priv *p)
{
	return (p->max_events < p->max_locs ? p->max_events : p->max_locs) + 1;
}

static size_t lay_out_verify(struct verify_priv *p, u8 *base)
{
	size_t used = 0, events = p->max_events, threads = p->max_threads, ops = 2 * events + 2;
	size_t vars = max_vars(p);
	size_t lines = threads + events + threads, steps = ops + events;

	TAKE(p->in, events + 1);
	TAKE(p->in_first, threads);
	TAKE(p->in_last, threads);
	TAKE(p->order, p->max_orders);
	TAKE(p->var_of, p->max_locs);
	TAKE(p->var, vars);
	TAKE(p->op, ops);
	TAKE(p->first, threads + 1);
	TAKE(p->queue, events + 1);
	TAKE(p->qop, events);
	TAKE(p->store, events + 1);
	TAKE(p->first_store, threads + 1);
	TAKE(p->by_line, events + 1);
	TAKE(p->line_start, lines);
	TAKE(p->need, p->max_needs);
	TAKE(p->last_fence, threads);
	TAKE(p->readers, vars + ops);
	TAKE(p->progress, lines);
	TAKE(p->issued, lines);
	TAKE(p->stored, threads);
	TAKE(p->committed, threads);
	TAKE(p->busy, lines / 64 + 1);
	TAKE(p->mem, vars);
	TAKE(p->unread, vars + ops);
	TAKE(p->step, steps);
	TAKE(p->was, steps);
	TAKE(p->frame, steps + 1);
	TAKE(p->key, 2 * threads + threads * threads + lines);
	return used;
}

static void set_sizes(struct verify_priv *p, u32 events, u32 threads, u32 locations)
{
	*p = (struct verify_priv){
		.max_events = events,
		.max_threads = threads,
		.max_locs = locations,
		.max_orders = 8 * events + threads * threads,
	};
	p->max_needs = p->max_orders + 8 * events + 1;
}

#define HEAD ((sizeof(struct verify_priv) + 63) & ~(size_t)63)

/* Bytes for the items of the witness. */
static size_t items(u32 events)
{
	return (2 * (size_t)events * sizeof(u32) + 63) & ~(size_t)63;
}

#define LEAST_REST 4096

size_t verify_memory(u32 events, u32 threads, u32 locations)
{
	struct verify_priv p;

	set_sizes(&p, events, threads, locations);
	return HEAD + items(events) + lay_out_verify(&p, NULL) + LEAST_REST;
}

void verify_init(
	struct verify *v, void *memory, size_t size, u32 events, u32 threads, u32 locations)
{
	struct verify_priv *p = memory;
	size_t used;
	u8 *base = (u8 *)memory + HEAD + items(events);

	BUG_ON(events > VERIFY_EVENTS || threads > VERIFY_THREADS || locations > PLACES_MAX);
	BUG_ON(size < verify_memory(events, threads, locations));
	*v = (struct verify){.priv = p, .witness.item = (u32 *)((u8 *)memory + HEAD)};
	set_sizes(p, events, threads, locations);
	used = lay_out_verify(p, base);
	p->readers += max_vars(p); /* sources below 0: initial writes */
	p->unread += max_vars(p);
	p->rest = (struct arena){.mem = base + used, .size = size - used - HEAD - items(events)};
	__builtin_memset(p->var_of, 0, locations * sizeof *p->var_of);
	__builtin_memset(p->in_first, 0, threads * sizeof(u32));
	verify_begin(v, BUFFERS_NONE);
}

void verify_begin(struct verify *v, enum buffers buffers)
{
	struct verify_priv *p = v->priv;

	BUG_ON(buffers == BUFFERS_UNDEFINED);
	for (u32 t = 0; t < p->nthreads; t++)
		p->in_first[t] = 0;
	p->buffers = buffers;
	p->n = p->norders = p->nthreads = 0;
	p->overflow = false;
}

/* --- pushing --------------------------------------------------------------------------------- */

u32 verify_push(struct verify *v, u32 thread, u32 loc, u16 flags)
{
	struct verify_priv *p = v->priv;
	u32 id;

	if (p->n == p->max_events || thread >= p->max_threads || loc >= p->max_locs) {
		p->overflow = true;
		return 0;
	}
	id = ++p->n;
	p->in[id] = (struct vevent){.flags = flags, .loc = (u16)loc, .thread = (u8)thread};
	if (p->in_first[thread]) {
		p->in[id].prev = p->in_last[thread];
		p->in[p->in_last[thread]].next = id;
	} else {
		p->in_first[thread] = id;
	}
	p->in_last[thread] = id;
	if (thread >= p->nthreads)
		p->nthreads = thread + 1;
	return id;
}

void verify_source(struct verify *v, u32 read, u32 write)
{
	BUG_ON(read > v->priv->n);
	v->priv->in[read].source = write;
}

void verify_order(struct verify *v, u32 a, u32 b)
{
	struct verify_priv *p = v->priv;

	if (p->norders == p->max_orders)
		p->overflow = true;
	else
		p->order[p->norders++] = (struct vorder){a, b};
}

struct verify_mark verify_mark(const struct verify *v)
{
	const struct verify_priv *p = v->priv;

	return (struct verify_mark){p->n, p->norders, p->nthreads, p->overflow};
}

void verify_cut(struct verify *v, struct verify_mark mark)
{
	struct verify_priv *p = v->priv;

	BUG_ON(mark.n > p->n || mark.norders > p->norders);
	for (; p->n > mark.n; p->n--) {
		const struct vevent *e = &p->in[p->n];

		if (!p->in_first[e->thread] || p->in_last[e->thread] != p->n)
			continue; /* omitted by verify_graph() */
		p->in_last[e->thread] = e->prev;
		if (e->prev)
			p->in[e->prev].next = 0;
		else
			p->in_first[e->thread] = 0;
	}
	p->norders = mark.norders;
	p->nthreads = mark.nthreads;
	p->overflow = mark.overflow;
}

/* A LEAVE comes after every ARRIVE of its round. */
static void order_round(struct verify *v, const struct graph *g, u32 leave)
{
	const struct gevent *x = &g->event[leave];

	for (u32 i = g->place[x->loc].reads; i; i = g->event[i].loc_prev) {
		if (g->event[i].type == LABEL_ARRIVE && g->event[i].round == x->round)
			verify_order(v, i, leave);
	}
}

void verify_graph(struct verify *v, const struct graph *g, enum buffers buffers)
{
	struct verify_priv *p = v->priv;

	verify_begin(v, buffers);
	if (g->n > p->max_events) {
		p->overflow = true;
		return;
	}
	for (u32 e = 1; e <= g->n; e++) {
		const struct gevent *x = &g->event[e];

		if (gevent_is_mark(x))
			p->in[++p->n] = (struct vevent){.flags = 0};
		else if (!verify_push(v, x->thread, x->loc, x->flags))
			return;
		if (x->flags & E_READ)
			p->in[e].source = x->rf;
	}
	for (u32 e = 1; e <= g->n; e++) {
		const struct gevent *x = &g->event[e];

		if (x->type == LABEL_LEAVE)
			order_round(v, g, e);
		else if (!(x->flags & E_READ) && x->rf)
			verify_order(v, x->rf, e);
	}
}

/* --- deciding -------------------------------------------------------------------------------- */

/* The trail as a plan, then the stores left in the buffers, which have no readers. */
static void tell_witness(struct verify *v)
{
	struct verify_priv *p = v->priv;
	struct plan *w = &v->witness;

	w->n = 0;
	for (u32 i = 0; i < p->nsteps; i++) {
		const struct op *o = &p->op[p->step[i] & ~STEP_COMMIT];

		if (p->step[i] & STEP_COMMIT)
			w->item[w->n++] = o->event | PLAN_COMMIT;
		else if (!o->silent)
			w->item[w->n++] = o->event;
		if (o->kind == OP_PUT && p->buffers != BUFFERS_NONE &&
			!(p->in[o->event].flags & E_EXCL))
			w->item[w->n++] = o->event | PLAN_COMMIT;
	}
	for (u32 t = 0; t < p->nthreads; t++) {
		for (u32 i = p->first_store[t]; i < p->first_store[t + 1]; i++) {
			if (!is_committed(p, p->store[i]))
				w->item[w->n++] = p->op[p->store[i]].event | PLAN_COMMIT;
		}
	}
}

static enum verify_answer stage(struct verify *v, enum verify_stage s, enum verify_answer a)
{
	v->stage = s;
	if (a == VERIFY_YES)
		tell_witness(v);
	return a;
}

enum verify_answer verify_decide(struct verify *v)
{
	struct verify_priv *p = v->priv;

	v->states = 0;
	v->edges = v->rounds = 0;
	v->witness.n = 0;
	if (!p->overflow && !verify_instance(p) && !p->overflow)
		return stage(v, VERIFY_BY_RULES, VERIFY_NO);
	if (p->overflow)
		return stage(v, VERIFY_BY_RULES, VERIFY_MEMORY);
	verify_reset(p);
	if (v->way & VERIFY_NAIVE)
		return stage(v, VERIFY_BY_SEARCH, verify_naive(v));
	if (!(v->way & (VERIFY_NO_PROBE | VERIFY_PLAIN)) && verify_search(v, true) == VERIFY_YES)
		return stage(v, VERIFY_BY_PROBE, VERIFY_YES);
	if (!(v->way & VERIFY_NO_CLOSURE) && !verify_closure(v))
		return stage(v, VERIFY_BY_CLOSURE, VERIFY_NO);
	return stage(v, VERIFY_BY_SEARCH, verify_search(v, false));
}

const char *verify_stage_name(enum verify_stage s)
{
	static const char *const names[VERIFY_STAGES] = {"rules", "probe", "closure", "search"};

	return names[s];
}
