/* SPDX-License-Identifier: ISC */
/* lock_order.c - see lock_order.h. */
#include "machine/observer/lock_order.h"
#include "machine/core.h"
#include "machine/record/record.h"
#include "base/text.h"
#include "detect/lock_graph.h"
#include "trust/cache.h"
#include "model/graph.h"
#include "object/object.h"

static struct lock_graph order;
bool machine_lock_order;

/* --- sources of operations -------------------------------------------------------------- */

static void lock_operation(
	u32 thread, enum event_kind kind, u64 obj, u64 argument, u64 result, u32 step)
{
	if (kind_has(kind, KIND_TAKES)) {
		if (!result)
			lock_graph_takes(&order, thread, obj, step, kind_has(kind, KIND_SHARED),
				!kind_has(kind, KIND_TRIES) && !argument); /* or only an attempt */
	} else if (kind_has(kind, KIND_RELEASES)) {
		lock_graph_frees(&order, thread, obj);
	} else if (kind == EV_CREATE) {
		lock_graph_creates(&order, thread, (u32)argument);
	} else if (kind == EV_JOIN) {
		lock_graph_joins(&order, thread, (u32)argument);
	}
}

void lock_order_begin(void)
{
	machine_lock_order = M.options->detect & DETECT_LOCK_ORDER;
	if (machine_lock_order)
		lock_graph_begin(&order);
}

void lock_order_note(enum event_kind kind, const void *obj, u64 argument, u64 result)
{
	lock_operation(M.cur->number, kind, (u64)(uintptr_t)obj, argument, result, 0);
}

static void sync_operation(const struct graph *g, const struct label *l, u32 e)
{
	const struct gevent *x = &g->event[e];
	u64 lock = g->places->place[x->loc].addr, result;
	enum event_kind kind = object_op_event(l->op);
	bool waits = object_op_has(l->op, OP_WAITS);

	/* The second half of the operation has changed the object. */
	if (!object_op_has(l->op, OP_LOCK) || !(x->flags & E_WRITE))
		return;
	if (kind_has(kind, KIND_RELEASES)) {
		lock_graph_frees(&order, x->thread, lock);
		return;
	}
	result = object_step(l->op, l->value, x->thread, g->event[x->po_prev].value).result;
	if (waits || result == 1 || result == OBJECT_OWNER_DEAD)
		lock_graph_takes(&order, x->thread, lock, e, kind_has(kind, KIND_SHARED), waits);
}

static void take_graph(const struct graph *g, const struct cache *c)
{
	lock_graph_begin(&order);
	for (u32 e = 1; e <= g->n; e++) {
		const struct label *l = &c->node[g->event[e].node].label;

		if (l->type == LABEL_SYNC)
			sync_operation(g, l, e);
		else if (l->type == LABEL_CREATE)
			lock_graph_creates(&order, g->event[e].thread, l->other);
		else if (l->type == LABEL_JOIN)
			lock_graph_joins(&order, g->event[e].thread, l->other);
	}
}

static void take_record(void)
{
	lock_graph_begin(&order);
	for (u32 i = 0; i < record.nevents; i++) {
		const struct event *e = &record.event[i];

		lock_operation(e->thread, (enum event_kind)e->kind, e->addr, e->old[0], e->value[0],
			i + 1);
	}
}

/* --- findings -------------------------------------------------------------------------------- */

/* One finding for the same locks, whichever threads take them. */
static bool describe_lock_cycle(struct finding *f)
{
	const struct lock_edge *circle[LOCK_GRAPH_CYCLE];
	u32 n = lock_graph_cycle(&order, circle);
	struct text t = text_begin(f->message, sizeof f->message);

	if (order.full)
		coverage_note("limit: more than %u pairs of nested locks, or %u locks held at "
			      "once: not all were checked (--detect=lock-order)",
			ORDER_EDGES, ORDER_HELD);
	if (!n)
		return false;
	*f = (struct finding){.kind = FINDING_LOCK_ORDER, .thread = (u16)circle[0]->thread};
	text_put(&t, "locks are taken in different orders by ");
	text_number(&t, n);
	text_put(&t, " threads");
	for (u32 i = 0; i < n; i++) {
		text_put(&t, i ? ", " : ": ");
		text_hex(&t, circle[i]->wanted.lock);
	}
	return true;
}

bool lock_order_fails(struct finding *f)
{
	return M.options->detect & DETECT_LOCK_ORDER && describe_lock_cycle(f);
}

bool lock_order_fails_graph(const struct graph *g, const struct cache *c, struct finding *f)
{
	if (!(M.options->detect & DETECT_LOCK_ORDER))
		return false;
	take_graph(g, c);
	return describe_lock_cycle(f);
}

u32 lock_order_waits(struct wait *w)
{
	const struct lock_edge *circle[LOCK_GRAPH_CYCLE];
	u32 n;

	take_record();
	n = lock_graph_cycle(&order, circle);
	for (u32 i = 0; i < n; i++) {
		const struct lock_edge *e = circle[i];

		w[i] = (struct wait){
			.thread = e->thread,
			.name = "",
			.kind = e->wanted.reading ? EV_RDLOCK : EV_LOCK,
			.object = e->wanted.lock,
			.holder = (i32)circle[(i + 1) % n]->thread,
			.stack = record.event[e->wanted.step - 1].stack,
		};
	}
	return n;
}
