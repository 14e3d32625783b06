/* SPDX-License-Identifier: ISC */
/* weaken.c - one element of a program of counted.h is made weaker: an order, a fence, a lock. */
#include "counted.h"

#include <stdio.h>

static struct gprogram *p;

struct weakening {
	int t, i;
	enum { ORDER, REMOVE, REMOVE_PAIR, KIND } how;
	int to;
};

static struct weakening found[1000];
static unsigned nfound;

static void may(int t, int i, int how, int to)
{
	if (nfound < sizeof found / sizeof *found)
		found[nfound++] = (struct weakening){t, i, how, to};
}

static void may_weaken_order(int t, int i, const struct gp_op *o)
{
	bool load = o->kind == GP_LOAD || o->kind == GP_AWAIT, store = o->kind == GP_STORE;
	int order = o->order;

	if (order == RLX)
		return;
	if (o->kind == GP_FENCE)
		may(t, i, REMOVE, 0);
	else
		may(t, i, ORDER, RLX);
	if (order == SEQ && !load && !store)
		may(t, i, ORDER, AR);
	if (order >= AR && !store)
		may(t, i, ORDER, ACQ);
	if (order >= AR && !load)
		may(t, i, ORDER, REL);
}

static void weakenings(int t, int i)
{
	const struct gp_op *o = &p->op[t][i];

	switch (o->kind) {
	case GP_LOAD:
	case GP_STORE:
	case GP_ADD:
	case GP_XCHG:
	case GP_CAS:
	case GP_FENCE:
	case GP_AWAIT:
	case GP_AWAIT_XCHG:
	case GP_AWAIT_CAS: may_weaken_order(t, i, o); break;
	case GP_WRLOCK: may(t, i, KIND, GP_RDLOCK); /* fall through */
	case GP_LOCK:
	case GP_RDLOCK: may(t, i, REMOVE_PAIR, 0); break;
	case GP_UNLOCK:
	case GP_RWUNLOCK:
	case GP_SEM_WAIT:
	case GP_BARRIER:
	case GP_JOIN: may(t, i, REMOVE, 0); break;
	default: break;
	}
}

static void remove_op(int t, int i)
{
	p->op[t][i].kind = GP_NOTHING;
}

static void remove_pair(int t, int i)
{
	int place = p->op[t][i].place;

	remove_op(t, i);
	while (++i < p->nops[t])
		if (p->op[t][i].place == place &&
			(p->op[t][i].kind == GP_UNLOCK || p->op[t][i].kind == GP_RWUNLOCK)) {
			remove_op(t, i);
			return;
		}
}

bool counted_weaken(struct counted *c, unsigned below(unsigned n))
{
	static const char *const orders[] = {
		"relaxed", "", "acquire", "release", "acq_rel", "seq_cst"};
	struct weakening w;
	struct gp_op *o;
	char text[60];

	p = &c->program;
	nfound = 0;
	for (int t = 0; t < p->nthreads; t++)
		for (int i = 0; i < p->nops[t]; i++)
			weakenings(t, i);
	if (!nfound)
		return false;
	w = found[below(nfound)];
	o = &p->op[w.t][w.i];
	gp_op_text(p, w.t, w.i, text, sizeof text);
	snprintf(c->change, sizeof c->change, "T%d: %.50s: %s", w.t + 1, text,
		w.how == ORDER ? orders[w.to] : w.how == KIND ? "rdlock" : "left out");
	switch (w.how) {
	case ORDER: o->order = (uint8_t)w.to; break;
	case KIND: o->kind = (uint8_t)w.to; break;
	case REMOVE: remove_op(w.t, w.i); break;
	case REMOVE_PAIR: remove_pair(w.t, w.i); break;
	}
	return true;
}
