/* SPDX-License-Identifier: ISC */
/* trust_cut.c - see trust_cut.h. Events have the number of choices before them. */
#include "trust/trust_cut.h"

/* Will the last event be changed? Tried in advance. */
static bool is_choice(struct trust *x)
{
	struct aside *a = trust_put_aside(x);
	u32 depth = x->depth;
	u64 pushes = x->pushes;
	bool more;

	if (!a)
		return false;
	more = trust_advance(x, x->graph.n);
	if (x->depth != depth)
		trust_pop(x);
	x->pushes = pushes;
	trust_take_back(x, a);
	return more;
}

void cut_turn(struct trust *x, u32 choices, bool fresh)
{
	x->cut->now = choices + 1;
	x->cut->n = x->graph.n - fresh;
}

bool cut_reached(struct trust *x)
{
	struct cut *c = x->cut;
	u32 n = x->graph.n;

	if (c->n < n) {
		while (c->n < n)
			x->graph.event[++c->n].choices = (u8)c->now;
		c->now += is_choice(x);
	}
	if (x->answer != ANSWER_LABEL)
		return true;
	if (c->now < c->choices)
		return false;
	c->node(x, c->ctx);
	return true;
}

void trust_run_cut(struct trust *x, struct cut *c)
{
	struct estimate *estimate = x->estimate;

	BUG_ON(c->choices > CUT_CHOICES || x->depth || x->graph.n);
	x->over = x->reported = false;
	x->estimate = NULL;
	x->cut = c;
	c->now = c->n = 0;
	trust_run(x);
	x->cut = NULL;
	x->estimate = estimate;
}
