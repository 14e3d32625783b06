/* SPDX-License-Identifier: ISC */
/*
 * holes_cause.c - the causes of an event, by the causal order of the model (holes_order.h).
 *
 * It is the largest one without a cycle in any consistent execution: all orders of the model to a
 * read, a barrier or the issue of a write; to the propagation of a write also those that delay only
 * its visibility. A larger one would lose executions, and so would one that lacks an order from a
 * missing event to a kept one.
 */
#include "holes/holes_order.h"
#include "model/hardware/hardware.h"

void causes_need(struct causes *c, u32 e, bool done)
{
	bool *mark;

	if (!e)
		return;
	done |= !holes_is_write(&c->g->event[e]);
	mark = done ? &c->m->done[e] : &c->m->issued[e];
	if (*mark)
		return;
	*mark = true;
	if (done)
		c->m->issued[e] = true;
	c->todo[c->n++] = (u16)(2 * e + done);
	if (done && holes_is_write(&c->g->event[e]))
		c->todo[c->n++] = (u16)(2 * e);
}

/* --- the order of two events ----------------------------------------------------------------- */

static bool is_barrier(const struct hevent *e)
{
	return e->flags & E_FULL &&
	       (e->flags & E_SYNC || !(e->flags & (E_READ | E_WRITE | E_FENCE)));
}

static struct ordered fence_orders(const struct causes *c, const struct hevent *f)
{
	if (is_barrier(f))
		return (struct ordered){KIND_ALL, KIND_ALL};
	return f->flags & E_FENCE ? c->order->fence(f, c->h->x->cache.node[f->node].label.op)
				  : (struct ordered){0, 0};
}

/* Is a read, another event, or the issue of a write after before[i]? */
static bool is_early(struct causes *c, const struct hevent *y, const u16 *before, u32 i)
{
	const struct hevent *x = &c->g->event[before[i]];

	return c->order->early(c, y, before, i) || is_acquire(x) ||
	       fence_orders(c, x).after & holes_kind(y) ||
	       fence_orders(c, y).before & holes_kind(x);
}

/* Into the propagation of the write y only. */
static bool is_late_cause(const struct causes *c, const struct hevent *x, const struct hevent *y)
{
	return holes_is_release(y) || fence_orders(c, x).after & KIND_WRITE ||
	       (c->order->late && c->order->late(x, y));
}

/* --- the causes of one item ------------------------------------------------------------------- */

/* The events of the thread before e, in po order; returns their number. */
static u32 earlier(const struct hgraph *g, u32 e, u16 *before)
{
	u32 n = 0;

	for (u32 f = g->thread[g->event[e].thread].first; f != e; f = g->event[f].next)
		before[n++] = (u16)f;
	return n;
}

/* Into a read: its source, and earlier accesses of the location, the last write included. */
static void causes_of_read(struct causes *c, u32 e, const u16 *before, u32 n)
{
	const struct hevent *y = &c->g->event[e], *w = &c->g->event[y->rf];

	if (y->rf)
		causes_need(c, y->rf,
			w->thread != y->thread || (c->order->own_excl && w->flags & E_EXCL));
	while (n--) {
		const struct hevent *x = &c->g->event[before[n]];

		if (!holes_same_place(x, y))
			continue;
		if (holes_is_read(x) ? c->order->reads
				     : y->rf != before[n] && !c->h->no_sources)
			causes_need(c, before[n], true);
		if (!holes_is_write(x))
			continue;
		if (c->order->excl_read && x->flags & E_EXCL && is_acquire(y))
			causes_need(c, holes_half(c->g, before[n]), true);
		return;
	}
}

/* The CAS with the write before[i] orders y only if it succeeds. */
static bool needs_success(struct causes *c, const struct hevent *y, const u16 *before, u32 i)
{
	const struct hevent *x = &c->g->event[before[i]];

	return x->type == LABEL_CAS && holes_is_excl_write(x) && i && !c->llsc &&
	       !is_early(c, y, before, i - 1);
}

static void cause_early(struct causes *c, const struct hevent *y, const u16 *before, u32 i)
{
	if (is_early(c, y, before, i) && !(c->always && needs_success(c, y, before, i)))
		causes_need(c, before[i], true);
}

static void collect_causes(struct causes *c, u32 e, bool done)
{
	const struct hevent *y = &c->g->event[e];
	u16 before[HOLES_INDICES];
	u32 n = earlier(c->g, e, before);
	bool write = holes_is_write(y), early = !write || !done;
	bool data = !holes_is_read(y) || (y->type != LABEL_CAS && c->order->rmw_data);

	if (holes_is_read(y))
		causes_of_read(c, e, before, n);
	else if (y->rf)
		causes_need(c, y->rf, true);
	for (u32 i = 0; i < n; i++) {
		u32 k = c->g->event[before[i]].index;

		if (early && (holes_in(y->set[BY_ADDRESS], k) || holes_in(y->set[BY_CONTROL], k) ||
				     (data && holes_in(y->set[BY_DATA], k)) ||
				     (write && holes_in(y->set[BY_PICK], k))))
			causes_need(c, before[i], true);
		if (early)
			cause_early(c, y, before, i);
		if (early && holes_in(y->set[HOLES_PASSED], k) &&
			!(c->always && c->order->may_pass)) {
			c->passes |= c->order->may_pass && !c->m->done[before[i]] &&
				     holes_kind(y) & KIND_ALL & ~KIND_OTHER;
			causes_need(c, before[i], true);
		}
		if (write && done && is_late_cause(c, &c->g->event[before[i]], y))
			causes_need(c, before[i], true);
	}
	if (done && holes_is_excl_write(y)) {
		causes_need(c, holes_half(c->g, e), true);
		causes_need(c, c->g->event[holes_half(c->g, e)].rf, true);
	}
}

void holes_causes(struct holes *h, struct hmarks *m, u32 e, bool always)
{
	struct causes c = {.h = h,
		.g = h->g,
		.m = m,
		.order = order_of_model(h),
		.llsc = h->x->places->hardware.llsc,
		.always = always};

	c.todo[c.n++] = (u16)(2 * e + 1);
	if (holes_is_write(&h->g->event[e]))
		c.todo[c.n++] = (u16)(2 * e);
	while (c.n) {
		u32 item = c.todo[--c.n];

		collect_causes(&c, item / 2, item & 1);
	}
	h->passes |= c.passes;
}

void holes_find_late(const struct holes *h, u32 w)
{
	struct causes c = {.h = h, .g = h->g, .order = order_of_model(h)};
	struct hevent *y = &h->g->event[w];
	u16 before[HOLES_INDICES];
	u32 n = earlier(h->g, w, before);

	__builtin_memset(y->late, 0, sizeof y->late);
	for (u32 i = 0; i < n; i++)
		if (is_late_cause(&c, &h->g->event[before[i]], y) ||
			(holes_is_excl_write(y) && i == n - 1))
			holes_add_element(y->late, h->g->event[before[i]].index);
}

bool holes_lacks_late(const struct hgraph *g, u32 w)
{
	const struct hevent *y = &g->event[w];
	u64 there[HOLES_WORDS] = {0}, missing = 0;

	for (u32 e = g->thread[y->thread].first; e != w; e = g->event[e].next)
		if (g->event[e].done)
			holes_add_element(there, g->event[e].index);
	for (u32 i = 0; i < HOLES_WORDS; i++)
		missing |= y->late[i] & ~there[i];
	return missing;
}

bool holes_success_orders(const struct holes *h)
{
	return order_of_model(h)->has_amo && !h->x->places->hardware.llsc;
}

bool holes_orders_success(const struct holes *h, const struct hevent *r, const struct hevent *y)
{
	struct causes c = {.h = h, .order = order_of_model(h)};
	u32 before;

	if (!holes_success_orders(h) || r->type != LABEL_CAS || !holes_is_read(r) || is_acquire(r))
		return false;
	for (u32 k = 0; k < HOLES_SETS; k++)
		if (k != BY_DATA && k != BY_PICK && holes_in(y->set[k], r->index))
			return false;
	before = fence_orders(&c, y).before;
	if (before & KIND_WRITE && !(before & KIND_READ))
		return true;
	return c.order->has_ldar && holes_is_read(y) && is_ldar(&c, y) &&
	       order_releases(holes_label_of(h, r)->order);
}

bool holes_must_fail(
	const struct holes *h, const struct hgraph *g, u32 r, const struct hmarks *kept)
{
	for (u32 y = h->fails ? g->event[r].next : 0; y; y = g->event[y].next)
		if ((!kept || kept->issued[y]) &&
			holes_orders_success(h, &g->event[r], &g->event[y]))
			return true;
	return false;
}
