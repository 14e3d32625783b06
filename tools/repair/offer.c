/* SPDX-License-Identifier: ISC */
/* offer.c - the changes that are possible at a point: their kinds, costs, texts and order. See
 * point.h. */
#include "repair/point.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "model/model.h"
#include "source/primitive.h"
#include "report/report.h"

#define COST_MAX 1000000

/* --- costs ----------------------------------------------------------------------------------- */

void costs_default(struct costs *c, enum model_id m)
{
	static const struct model_costs of_c = {{0, 1, 1, 1, 2, 7}, {0, 2, 2, 2, 3, 6}};
	const struct model_costs *from = model_of(m)->costs ? model_of(m)->costs : &of_c;

	for (u32 i = 0; i < array_size(c->order); i++) {
		c->order[i] = from->order[i];
		c->fence[i] = from->fence[i];
	}
}

bool costs_set(struct costs *c, const char *text)
{
	bool fence = !strncmp(text, "fence-", 6);
	const char *name = fence ? text + 6 : text, *equal = strchr(name, '=');
	unsigned long n;
	char *end;

	if (!equal || equal[1] < '0' || equal[1] > '9')
		return false;
	n = strtoul(equal + 1, &end, 10);
	if (*end || n > COST_MAX)
		return false;
	for (u8 order = __ATOMIC_ACQUIRE; order <= __ATOMIC_SEQ_CST; order++) {
		if (strlen(order_name(order)) != (size_t)(equal - name) ||
			strncmp(order_name(order), name, (size_t)(equal - name)))
			continue;
		(fence ? c->fence : c->order)[order] = (u32)n;
		return true;
	}
	return false;
}

/* --- kinds of changes ------------------------------------------------------------------------ */

u32 changes_read(const char *text)
{
	static const char *const names[] = {
		"order", "after-store", "before-store", "after-load", "before-load", "all"};
	u32 set = 0;

	for (;;) {
		size_t n = strcspn(text, ","), i = 0;

		while (i < array_size(names) &&
			(strlen(names[i]) != n || strncmp(names[i], text, n)))
			i++;
		if (i == array_size(names))
			return 0;
		set |= i == 5 ? CHANGE_ALL : 1u << i;
		if (!text[n])
			return set;
		text += n + 1;
	}
}

static bool is_point_wanted(const struct points *p, const struct point *at, enum slot slot)
{
	bool loads = at->kind != SITE_STORE, stores = at->kind != SITE_LOAD;

	if (slot == SLOT_ORDER)
		return p->changes & CHANGE_ORDER;
	if (slot == SLOT_AFTER)
		return (loads && p->changes & CHANGE_AFTER_LOAD) ||
		       (stores && p->changes & CHANGE_AFTER_STORE);
	return (loads && p->changes & CHANGE_BEFORE_LOAD) ||
	       (stores && p->changes & CHANGE_BEFORE_STORE);
}

/* --- options --------------------------------------------------------------------------------- */

struct edit option_edit(const struct points *p, const struct option *o)
{
	static const enum edit_kind kinds[] = {
		EDIT_ORDER, EDIT_FENCE_BEFORE, EDIT_FENCE_AFTER, EDIT_ORDER};
	const struct point *at = &p->point[o->point];
	u8 bits = o->strength | (o->slot == SLOT_ORDER ? at->strength : 0);
	struct edit e = point_edit(at);

	e.kind = kinds[o->slot];
	e.order = order_of_strength(bits);
	if (e.kind != EDIT_ORDER) {
		e.file = at->file;
		e.line = at->line;
		e.column = at->column;
		e.callee = point_callee(at, at->depth - 1);
		e.system = at->file && primitive_is_system(at->file);
	}
	/* A CAS that fails is a load: the part of the order that applies to loads, at the same
	 * cost. */
	if (o->slot == SLOT_FAIL)
		e.fail = order_of_strength(o->strength);
	if (at->kind == SITE_CAS && o->slot == SLOT_ORDER)
		e.fail = order_of_strength(bits & STRENGTH_SC ? bits : bits & STRENGTH_ACQUIRE);
	return e;
}

char *option_words(const struct points *p, const struct option *o)
{
	static const char *const kinds[] = {
		"load", "store", "read-modify-write", "compare-and-exchange", "fence"};
	struct edit e = option_edit(p, o);
	const struct point *at = &p->point[o->point];

	if (o->slot == SLOT_ORDER)
		return xprintf(
			"%s for the %s at %s", order_words(e.order), kinds[at->kind], at->where);
	return xprintf("atomic_thread_fence(%s) %s %s", order_words(e.order),
		o->slot == SLOT_AFTER ? "after" : "before", at->where);
}

/* If the source is available and unchanged, only options that can be written into it. */
static bool can_be_written(struct points *p, const struct option *o)
{
	struct edit e = option_edit(p, o);

	if (patch_add(patch_new(&p->sources), &e))
		return true;
	p->unreadable += e.lost;
	return e.lost;
}

/* To relax: parts of the program's own order. */
static void offer_parts(struct points *p, u32 i)
{
	static const u8 orders[] = {__ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_SEQ_CST};
	const struct point *at = &p->point[i];

	for (unsigned slot = SLOT_ORDER; slot <= SLOT_FAIL; slot += SLOT_FAIL - SLOT_ORDER) {
		u32 before = 0;

		for (unsigned k = 0; k < array_size(orders); k++) {
			u8 bits = strength_of(orders[k]),
			   most = slot == SLOT_ORDER ? at->most : at->most_fail;
			const u32 *cost = at->kind == SITE_FENCE ? p->costs.fence : p->costs.order;

			if (bits & ~most || (bits == STRENGTH_ACQUIRE && at->kind == SITE_STORE) ||
				(bits == STRENGTH_RELEASE &&
					(at->kind == SITE_LOAD || slot == SLOT_FAIL)))
				continue;
			p->option = xgrow(p->option, (p->noptions + 1) * sizeof(*p->option));
			p->option[p->noptions++] = (struct option){i, slot, bits,
				cost[orders[k]] > before ? cost[orders[k]] - before : 1,
				slot == SLOT_FAIL ? 2
						  : 1}; /* prefer a load to a CAS's failure */
			before += p->option[p->noptions - 1].cost;
		}
	}
}

static void offer(struct points *p, u32 point, enum slot slot, u8 order)
{
	const struct point *at = &p->point[point];
	u8 bits = strength_of(order);
	struct option o = {point, slot, bits,
		slot == SLOT_ORDER ? p->costs.order[order] : p->costs.fence[order],
		/* prefer the usual places: after a store, before a load */
		slot == SLOT_ORDER	? 3
		: at->kind == SITE_LOAD ? slot == SLOT_BEFORE ? 2 : 4
		: slot == SLOT_AFTER	? 1
					: 4};

	if (!is_point_wanted(p, at, slot))
		return;
	if (slot == SLOT_ORDER) {
		if ((at->strength & bits) == bits)
			return;
		/* acq_rel costs the part that is added */
		if (order == __ATOMIC_ACQ_REL &&
			at->strength & (STRENGTH_ACQUIRE | STRENGTH_RELEASE))
			return;
	}
	if (!can_be_written(p, &o))
		return;
	p->option = xgrow(p->option, (p->noptions + 1) * sizeof(*p->option));
	p->option[p->noptions++] = o;
}

/* Under TSO and PSO: full barriers, and fences that order stores. */
static void offer_buffers(struct points *p, u32 i)
{
	const struct point *at = &p->point[i];
	bool order = !(at->flags & (SITE_PLAIN | SITE_VOLATILE | SITE_ASM));

	switch (at->kind) {
	case SITE_STORE:
		offer(p, i, SLOT_AFTER, __ATOMIC_SEQ_CST);
		if (order)
			offer(p, i, SLOT_ORDER, __ATOMIC_SEQ_CST);
		if (model_of(p->model)->buffers != BUFFERS_BY_LOCATION)
			break;
		if (order)
			offer(p, i, SLOT_ORDER, __ATOMIC_RELEASE);
		offer(p, i, SLOT_BEFORE, __ATOMIC_RELEASE);
		break;
	case SITE_LOAD: offer(p, i, SLOT_BEFORE, __ATOMIC_SEQ_CST); break;
	case SITE_FENCE:
		if (!(at->flags & SITE_ASM)) {
			offer(p, i, SLOT_ORDER, __ATOMIC_SEQ_CST);
			if (model_of(p->model)->buffers == BUFFERS_BY_LOCATION)
				offer(p, i, SLOT_ORDER, __ATOMIC_RELEASE);
		}
		break;
	}
}

static void offer_orders(struct points *p, u32 i)
{
	const struct point *at = &p->point[i];
	bool order = !(at->flags & (SITE_PLAIN | SITE_VOLATILE | SITE_ASM));
	bool loads = at->kind != SITE_STORE, stores = at->kind != SITE_LOAD;

	if (order && loads)
		offer(p, i, SLOT_ORDER, __ATOMIC_ACQUIRE);
	if (order && stores)
		offer(p, i, SLOT_ORDER, __ATOMIC_RELEASE);
	if (order)
		offer(p, i, SLOT_ORDER, __ATOMIC_SEQ_CST);
	if (at->kind == SITE_FENCE)
		return;
	if (loads)
		offer(p, i, SLOT_AFTER, __ATOMIC_ACQUIRE);
	if (stores)
		offer(p, i, SLOT_BEFORE, __ATOMIC_RELEASE);
	offer(p, i, SLOT_BEFORE, __ATOMIC_SEQ_CST);
	offer(p, i, SLOT_AFTER, __ATOMIC_SEQ_CST);
}

void offer_changes(struct points *p, u32 first)
{
	for (u32 i = first; i < p->npoints; i++) {
		if (p->relax)
			offer_parts(p, i);
		else if (model_of(p->model)->has_orders)
			offer_orders(p, i);
		else if (model_of(p->model)->buffers != BUFFERS_NONE)
			offer_buffers(p, i);
	}
}
