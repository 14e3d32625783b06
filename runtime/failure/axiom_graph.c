/* SPDX-License-Identifier: ISC */
/* axiom_graph.c - see axiom_graph.h. */
#include "failure/axiom_graph.h"

#include "model/file/cat_explain.h"
#include "model/pieces.h"

#include <string.h>

static u8 change[GRAPH_EVENTS + 1];
static struct reason reason;

_Static_assert(AXIOM_LINKS == REASON_LINKS, "all links of a reason are shown");

/* Both halves of an RMW; a fence is behind the second one. */
static void change_event(const struct graph *g, u32 e, u8 how)
{
	u32 w = g->event[e].flags & E_EXCL && g->event[e].flags & E_READ ? graph_write_of(g, e) : 0,
	    r = g->event[e].flags & E_EXCL && g->event[e].flags & E_WRITE ? graph_read_of(g, e) : 0;

	if (how & CHANGE_FENCE) {
		change[w ? w : e] ^= CHANGE_FENCE;
		return;
	}
	change[e] |= how;
	if (w || r)
		change[w ? w : r] |= how;
}

static bool forbids(const struct graph *g)
{
	return cat_explain(g->places->cat, g, change, &reason);
}

/* The reason, with names. */
static void name_reason(const struct cat *c, struct axiom_found *a)
{
	cat_axiom_name(c, reason.axiom, a->name);
	a->n = reason.n;
	for (u32 i = 0; i < reason.n; i++) {
		a->link[i].from = reason.link[i].from;
		a->link[i].to = reason.link[i].to;
		cat_node_name(c, reason.link[i].node, a->link[i].name);
	}
}

/* Edges between threads that are not of rf: with two of them, orders do not suffice. */
static u32 count_unordered(const struct cycle *c)
{
	u32 n = 0;

	for (u32 i = 0; i < c->n; i++)
		n += c->edge[i].relation == REL_CO || c->edge[i].relation == REL_FR;
	return n;
}

/* Acquire and release on both ends of the edges of rf: does that forbid g? */
static bool try_rf_orders(const struct graph *g, const struct cycle *c, const u16 *event)
{
	bool any = false;

	memset(change, 0, g->n + 1);
	for (u32 i = 0; i < c->n; i++) {
		if (c->edge[i].relation != REL_RF)
			continue;
		any = true;
		change_event(g, event[i], CHANGE_RELEASES);
		change_event(g, event[(i + 1) % c->n], CHANGE_ACQUIRES);
	}
	return any && forbids(g);
}

/* A fence between the events of each edge of po; then those that are not needed are taken away. */
static bool try_fences(const struct graph *g, struct cycle *c, const u16 *event)
{
	memset(change, 0, g->n + 1);
	for (u32 i = 0; i < c->n; i++)
		if (c->edge[i].relation == REL_PO)
			change_event(g, event[i], CHANGE_FENCE);
	if (!forbids(g))
		return false;
	for (u32 i = 0; i < c->n; i++) {
		if (c->edge[i].relation != REL_PO)
			continue;
		change_event(g, event[i], CHANGE_FENCE);
		if (forbids(g))
			c->edge[i].kept = KEPT_ORDER;
		else
			change_event(g, event[i], CHANGE_FENCE);
	}
	return forbids(g);
}

void axiom_graph_find(struct graph *g, struct cycle *c, const u16 *event, struct axiom_found *a)
{
	struct cat_model *m = g->places->cat;
	bool found = false;

	a->name[0] = 0;
	a->n = 0;
	a->repair = REPAIR_NONE;
	if (!m)
		return;
	if (!g->model->is_file) {
		found = cat_explain(m, g, NULL, &reason);
	} else if (c->n) {
		found = count_unordered(c) < 2 && try_rf_orders(g, c, event);
		a->repair = found ? REPAIR_ORDERS : REPAIR_FENCES;
		if (!found)
			found = try_fences(g, c, event);
		if (!found)
			a->repair = REPAIR_UNKNOWN;
	}
	if (found)
		name_reason(&m->cat, a);
}
