/* SPDX-License-Identifier: ISC */
/* plan_driver.c - see plan_driver.h. */
#include "buffers/plan_driver.h"
#include "buffers/sched.h"
#include "machine/record/record.h"
#include "process/pages.h"
#include "model/pieces.h"

static const struct driver plan_driver;

static struct {
	const struct graph *g;
	struct plan_strategy strategy;
	u16 next[GRAPH_THREADS]; /* the next event of each thread; 0: none */
	u16 *event_of;		 /* [RECORD_EVENTS + 1] of a recorded store; 0: not in the graph */
} G;

static u32 next_event(u32 slot);

bool plan_driver_begin(const struct graph *g, const struct plan *p, u32 last)
{
	if (g->n >= PLAN_EVENTS)
		return false;
	if (!G.event_of)
		G.event_of = pages_need((RECORD_EVENTS + 1) * sizeof *G.event_of);
	G.g = g;
	__builtin_memset(&G.strategy, 0, sizeof G.strategy);
	G.strategy.graph = g;
	G.strategy.plan = p;
	G.strategy.last = last;
	for (u32 t = 0; t < GRAPH_THREADS; t++)
		G.next[t] = t < g->nthreads ? g->thread[t].first : 0;
	for (u32 t = 0; t < g->nthreads; t++)
		next_event(t);
	M.explore.plan = &G.strategy;
	M.driver = &plan_driver;
	return true;
}

bool plan_driver_end(void)
{
	M.driver = NULL;
	return !G.strategy.lost;
}

bool plan_driver_early(void)
{
	return G.strategy.early;
}

/* --- progress of a thread --------------------------------------------------------------- */

/* On store buffers malloc(), free() and clock reads are not steps: their events are passed at
 * once. */
static bool is_no_plan_step(const struct gevent *x)
{
	return x->flags & E_HEAP || x->type == LABEL_CLOCK ||
	       (x->type == LABEL_CHOOSE && x->op == LABEL_CALLED);
}

static u32 next_event(u32 slot)
{
	u32 e = G.next[slot];

	for (; e && (G.g->event[e].flags & E_WAIT || is_no_plan_step(&G.g->event[e]));
		e = G.g->event[e].po_next) {
		if (!is_no_plan_step(&G.g->event[e]))
			continue;
		G.strategy.passed[slot] = G.g->event[e].index;
		G.strategy.done[e] = true;
	}
	return G.next[slot] = (u16)e;
}

static void pass_next(u32 slot, u32 e)
{
	const struct gevent *x = &G.g->event[e];

	if (x->flags & E_PIECE)
		x = &G.g->event[graph_last(G.g, e)];
	else if (x->flags & E_READ && x->flags & E_EXCL)
		x = &G.g->event[x->po_next];
	G.strategy.passed[slot] = x->index;
	G.next[slot] = x->po_next;
	next_event(slot);
}

/* The next event but plain stores: if the thread is there, code that is not instrumented has made
 * them. */
static u32 behind_stores(u32 slot)
{
	u32 e = next_event(slot);

	while (e && (G.g->event[e].type == LABEL_PLAIN_WRITE || is_no_plan_step(&G.g->event[e])))
		e = G.g->event[e].po_next;
	return e;
}

static void pass_stores(u32 slot, u32 id)
{
	u32 e;

	while ((e = next_event(slot)) != id) {
		G.strategy.done[e] = true;
		pass_next(slot, e);
	}
}

static void pass_up_to(u32 slot, u32 id)
{
	pass_stores(slot, id);
	pass_next(slot, id);
}

static void pass_type(u32 slot, u8 type)
{
	u32 e = behind_stores(slot);

	if (e && G.g->event[e].type == type)
		pass_up_to(slot, e);
}

static void pass_sync(const struct sync_op *op, const void *obj)
{
	u32 slot = M.cur->slot, e = behind_stores(slot);
	const struct gevent *x = &G.g->event[e];

	if (!obj)
		obj = op; /* as in execute_sync() */
	if (e && G.g->places->place[x->loc].addr == (u64)(uintptr_t)obj &&
		(x->type == LABEL_SYNC || x->type == LABEL_ARRIVE || x->type == LABEL_LEAVE))
		pass_up_to(slot, e);
}

/* --- accesses -------------------------------------------------------------------------------- */

static bool fits_recorded(const struct gevent *x, const struct event *e)
{
	switch (e->kind) {
	case EV_READ: return x->type == LABEL_READ || x->type == LABEL_PLAIN_READ;
	case EV_WRITE: return x->type == LABEL_WRITE || x->type == LABEL_PLAIN_WRITE;
	case EV_RMW: return x->type == LABEL_RMW;
	default: return x->type == LABEL_CAS;
	}
}

static bool is_followed_on(const struct gevent *x, u8 type)
{
	const struct gevent *y = &G.g->event[x->po_next];

	return x->po_next && y->loc == x->loc && y->type == type;
}

/* A write by code that is not instrumented, or the read of a partial write to a location. */
static bool is_extra(const struct gevent *x, const struct event *e)
{
	if (e->kind == EV_READ)
		return x->type == LABEL_PLAIN_WRITE &&
		       (is_followed_on(x, LABEL_PLAIN_READ) || is_followed_on(x, LABEL_READ));
	return e->kind == EV_WRITE &&
	       ((x->type == LABEL_PLAIN_READ && is_followed_on(x, LABEL_PLAIN_WRITE)) ||
		       (x->type == LABEL_READ && is_followed_on(x, LABEL_WRITE)));
}

static void pass_write(u32 id, const struct event *e)
{
	if (e->flags & EVENT_BUFFERED && !G.event_of[e->step])
		G.event_of[e->step] = (u16)id;
	else
		G.strategy.done[id] = true; /* or is committed with the first one */
}

static bool is_at(const struct gevent *x, u64 start, u64 end)
{
	const struct place *p = &G.g->places->place[x->loc];

	return p->size && p->addr + p->size > start && p->addr < end;
}

/* It may access several locations, in ascending order. */
static void pass_recorded(u32 slot, const struct event *e)
{
	u64 at = e->addr, end = e->addr + e->size;
	u32 id = behind_stores(slot);
	const struct gevent *y = &G.g->event[id];

	if (id && next_event(slot) != id && fits_recorded(y, e) && is_at(y, at, end))
		pass_stores(slot, id);
	while ((id = next_event(slot))) {
		const struct gevent *x = &G.g->event[id];
		const struct place *p = &G.g->places->place[x->loc];

		if (!is_at(x, at, end))
			return;
		if (e->flags & EVENT_PART && p->addr < e->addr)
			return; /* passed with the first part */
		if (!fits_recorded(x, e) && !is_extra(x, e))
			return;
		pass_next(slot, id);
		if (!fits_recorded(x, e))
			continue;
		if (e->kind == EV_WRITE)
			pass_write(id, e);
		at = x->flags & E_PIECE ? end : p->addr + p->size;
		if (e->kind != EV_READ && e->kind != EV_WRITE)
			return;
	}
}

static void follow_event(const struct event *e)
{
	u32 slot = M.created[e->thread];

	if (slot >= GRAPH_THREADS || e->flags & EVENT_SPIN)
		return;
	switch (e->kind) {
	case EV_READ:
	case EV_RMW:
	case EV_CAS:
	case EV_CAS_FAIL:
		pass_recorded(slot, e);
		break;
	case EV_WRITE:
		G.event_of[e->step] = next_event(slot) ? 0 : PLAN_LATER;
		pass_recorded(slot, e);
		break;
	case EV_COMMIT:
		if (G.event_of[e->store] < PLAN_EVENTS)
			G.strategy.done[G.event_of[e->store]] = true;
		break;
	case EV_FENCE: pass_type(slot, LABEL_FENCE); break;
	case EV_CREATE: pass_type(slot, LABEL_CREATE); break;
	case EV_START: pass_type(slot, LABEL_START); break;
	case EV_JOIN: pass_type(slot, LABEL_JOIN); break;
	case EV_EXIT: pass_type(slot, LABEL_END); break;
	}
}

/* --- choices ------------------------------------------------------------------------------- */

static void answer_question(u32 n, enum choice_why why)
{
	u32 slot = M.cur->slot, e = behind_stores(slot);
	const struct gevent *x = &G.g->event[e];

	G.strategy.data = 0;
	if (!e)
		return;
	if (why == CHOICE_WEAK_CAS && x->type == LABEL_CAS) {
		G.strategy.data = x->flags & E_RARE ? n - 1 : 0;
	} else if (x->type == LABEL_CHOOSE) {
		G.strategy.data = (u32)x->value;
		pass_up_to(slot, e);
	}
}

static u32 plan_thread(const struct thread *t)
{
	return plan_agent(t->slot);
}

static u32 plan_commit(const struct thread *t, u32 k)
{
	const struct store *s = buffer_option(&sched_of(t)->buffer, k);

	return plan_agent_commit(t->slot, G.event_of[s->step]);
}

static void pass_operation(void)
{
	answer_question(1, CHOICE_USER);
}

static const struct driver plan_driver = {
	.event = follow_event,
	.question = answer_question,
	.operation = pass_operation,
	.sync = pass_sync,
	.thread = plan_thread,
	.commit = plan_commit,
};
