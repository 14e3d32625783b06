/* SPDX-License-Identifier: ISC */
/* trust_add.c - building a given graph, an event at a time, with the caller's choices. See
 * trust.h. */
#include "trust/trust_priv.h"

static bool add_read_event(struct trust *x, u32 t, const struct label *l, u32 source, bool rare)
{
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node;
	u32 e = graph_push(g, t, l, node, E_READ);
	struct effect f = effect_of(l, t, graph_write_value(g, source, l->loc), rare);

	trust_set_read(x, e, source, l, f);
	g->event[e].flags |= rare ? E_RARE : 0;
	if (f.ready) {
		step_to(x, t, node, f.key);
		if (!f.excl || trust_forward_excl(x, e))
			return true;
		graph_pop(g);
	}
	graph_pop(g);
	return false;
}

bool trust_add_early(struct trust *x, u32 t, u64 value)
{
	struct graph *g = &x->graph;
	const struct label *l = label_of(x, t);
	u32 node = g->thread[t].node, e;
	struct effect f;

	if (!label_reads(l) || l->type == LABEL_SYNC || label_has_pieces(l))
		return false;
	f = effect_of(l, t, value, false);
	if (f.excl)
		return false;
	graph_know_place(g, l->loc);
	e = graph_push(g, t, l, node, E_READ);
	trust_set_read(x, e, 0, l, f);
	g->event[e].value = value;
	step_to(x, t, node, f.key);
	return true;
}

static bool add_chosen(struct trust *x, u32 t, const struct label *l, u32 choice)
{
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node, e = g->n + 1;

	if (choice >= l->value)
		return false;
	trust_forward_other(x, t, l);
	if (choice >= trust_choices(x, e)) {
		graph_pop(g);
		return false;
	}
	g->event[e].value = choice;
	if (l->op != LABEL_CALLED)
		step_to(x, t, node, choice);
	return true;
}

bool trust_add(struct trust *x, u32 t, u32 choice, bool rare)
{
	struct graph *g = &x->graph;
	const struct label *l = label_of(x, t);
	bool is_source = choice <= g->n && (!choice || (g->event[choice].flags & E_WRITE &&
						       g->event[choice].loc == l->loc));
	u32 e = g->n + 1;

	if (label_has_pieces(l))
		return false;
	graph_know_place(g, l->loc);
	switch (l->type) {
	case LABEL_READ:
	case LABEL_RMW:
	case LABEL_CAS:
	case LABEL_SYNC:
	case LABEL_PLAIN_READ:
		if (rare && label_deadline(l))
			return trust_wake(x, t);
		return is_source && add_read_event(x, t, l, choice, rare);
	case LABEL_WRITE:
	case LABEL_PLAIN_WRITE:
		if (!is_source)
			return false;
		trust_forward_write(x, t, l);
		graph_co_remove(g, e);
		graph_co_insert(g, e, choice);
		return true;
	case LABEL_CHOOSE: return add_chosen(x, t, l, choice);
	case LABEL_JOIN:
		if (!g->thread[l->other].ended)
			return false;
		break;
	case LABEL_LEAVE:
		if (!trust_round_complete(g, t, l))
			return false;
		break;
	case LABEL_TIME: return trust_wake(x, t);
	case LABEL_SPIN: return rare && label_deadline(l) && trust_wake(x, t);
	case LABEL_BLOCK:
	case LABEL_FAIL:
		return false;
	}
	trust_forward_other(x, t, l);
	return x->answer == ANSWER_LABEL;
}
