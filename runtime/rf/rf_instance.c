/* SPDX-License-Identifier: ISC */
/*
 * rf_instance.c - parts of an execution as an instance of verify/verify.h, and its answer as an
 * order of writes.
 */
#include "rf/rf_priv.h"

void rf_note_accesses(struct rf *x)
{
	const struct graph *g = &x->trust->graph;

	__builtin_memset(x->priv->access, 0, g->nplaces);
	for (u32 e = 1; e <= g->n; e++)
		if (g->event[e].flags & (E_READ | E_WRITE))
			x->priv->access[g->event[e].loc] |=
				g->event[e].flags & E_PLAIN ? ACCESS_PLAIN : ACCESS_ATOMIC;
}

void rf_instance(struct rf *x)
{
	const struct graph *g = &x->trust->graph;

	verify_begin(&x->priv->verify, g->model->buffers);
	__builtin_memset(x->priv->pushed, 0, (g->n + 1) * sizeof *x->priv->pushed);
	x->priv->common = 0;
	x->priv->mark = verify_mark(&x->priv->verify);
}

void rf_instance_before(struct rf *x, u32 r)
{
	struct rf_priv *p = x->priv;
	const struct graph *g = &x->trust->graph;

	verify_cut(&p->verify, p->mark);
	__builtin_memset(p->pushed + p->common + 1, 0, (g->n - p->common) * sizeof *p->pushed);
	for (u32 e = p->common + 1; e < r; e++)
		rf_push(x, e);
	/* The source may come later, but before r, as all reads from here to r are marked. */
	for (; p->common + 1 < r; p->common++) {
		BUG_ON(g->event[p->common + 1].rf >= r);
		rf_connect(x, p->common + 1);
	}
	p->mark = verify_mark(&p->verify);
}

bool rf_is_scheduled(const struct rf_priv *p, const struct gevent *e)
{
	if (e->flags & E_WAIT || e->type == LABEL_CHOOSE)
		return false;
	return !(e->flags & E_PLAIN) || p->access[e->loc] == ACCESS_MIXED;
}

/* In rf_priv.name: */
#define NAME_WRITE (1u << 30)
#define NAME_TAKES (1u << 31) /* the read of an RMW: its write is the next one */

void rf_push(struct rf *x, u32 e)
{
	struct rf_priv *p = x->priv;
	const struct graph *g = &x->trust->graph;
	const struct gevent *ev = &g->event[e];

	if (!rf_is_scheduled(p, ev))
		return;
	p->pushed[e] = (u16)verify_push(&p->verify, ev->thread, ev->loc, ev->flags);
	p->name[p->pushed[e]] =
		rf_name(g, e) | (ev->flags & E_WRITE ? NAME_WRITE : 0) |
		((ev->flags & (E_READ | E_EXCL)) == (E_READ | E_EXCL) ? NAME_TAKES : 0);
}

u32 rf_push_changed(struct rf *x, const struct label *l, u32 thread, u32 index, struct effect f)
{
	struct rf_priv *p = x->priv;
	const struct model *m = x->trust->graph.model;
	u32 v = verify_push(&p->verify, thread, l->loc, graph_read_flags(m, l, f.excl)), w;

	p->name[v] = thread << 16 | index;
	if (f.excl) {
		w = verify_push(&p->verify, thread, l->loc, graph_write_flags(m, l, true));
		p->name[v] |= NAME_TAKES;
		p->name[w] = thread << 16 | (index + 1) | NAME_WRITE;
	}
	return v;
}

void rf_connect(struct rf *x, u32 e)
{
	struct rf_priv *p = x->priv;
	const struct graph *g = &x->trust->graph;
	const struct gevent *ev = &g->event[e];

	if (!p->pushed[e])
		return;
	if (ev->flags & E_READ)
		verify_source(&p->verify, p->pushed[e], ev->rf ? p->pushed[ev->rf] : 0);
	else if (ev->type == LABEL_START || ev->type == LABEL_JOIN) {
		if (ev->rf)
			verify_order(&p->verify, p->pushed[ev->rf], p->pushed[e]);
	} else if (ev->type == LABEL_LEAVE) {
		for (u32 i = g->place[ev->loc].reads; i; i = g->event[i].loc_prev)
			if (g->event[i].type == LABEL_ARRIVE && g->event[i].round == ev->round &&
				p->pushed[i])
				verify_order(&p->verify, p->pushed[i], p->pushed[e]);
	}
}

u32 rf_witness_order(const struct rf *x, u32 *co)
{
	const struct rf_priv *p = x->priv;
	const struct plan *plan = &p->verify.witness;
	u32 n = 0;

	for (u32 i = 0; i < plan->n; i++) {
		u32 v = plan_event(plan->item[i]);
		bool writes = p->name[v] & NAME_WRITE &&
			      (plan_commits(plan->item[i]) ||
				      x->trust->graph.model->buffers == BUFFERS_NONE);

		if (!writes && !(p->name[v] & NAME_TAKES))
			continue;
		if (co)
			co[n] = p->name[writes ? v : v + 1] & ~NAME_WRITE;
		n++;
	}
	return n;
}

u32 rf_plain_order(const struct rf *x, u32 r, u32 nkept, u32 *co)
{
	const struct graph *g = &x->trust->graph;
	u32 n = 0;

	for (u32 i = 1; i < r + nkept; i++) {
		u32 e = i < r ? i : x->priv->kept[i - r];

		if (!(g->event[e].flags & E_WRITE) || rf_is_scheduled(x->priv, &g->event[e]))
			continue;
		if (co)
			co[n] = rf_name(g, e);
		n++;
	}
	return n;
}
