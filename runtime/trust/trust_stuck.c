/* SPDX-License-Identifier: ISC */
/* trust_stuck.c - no thread is enabled except those that join: these continue together; then
 * waiting threads read older writes; then the execution is over. */
#include "trust/trust_priv.h"
#include "trust/trust_pieces.h"

/* No thread is enabled: may t read an older write? Then waiting is one of its choices. */
static bool forward_wait(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 e, node = g->thread[t].node;

	if (!label_reads(l) || trust_waits_after(g, t, l->loc))
		return false;
	if (unlikely(x->rf) && l->type != LABEL_SYNC)
		return class_forward_wait(x, t, l);
	if (unlikely(label_has_pieces(l)))
		return pieces_forward_wait(x, t, l);
	e = graph_push(g, t, l, node, E_READ);
	trust_set_read(x, e, g->place[l->loc].co_last, l, (struct effect){.ready = false});
	if (!trust_older_source(x, e)) {
		graph_pop(g);
		return false;
	}
	trust_set_read(x, e, g->place[l->loc].co_last, l, (struct effect){.ready = false});
	graph_set_flags(g, e, g->event[e].flags | E_WAIT);
	g->event[e].state = STATE_WAIT_LEAF;
	g->thread[t].node = node;
	return true;
}

/* No thread is enabled. complete: all have ended, or only join. */
static bool report_leaf(struct trust *x, bool complete)
{
	enum leaf how = complete ? LEAF_COMPLETE : trust_leaf(x);

	if (x->answer != ANSWER_LABEL) /* not known yet */
		return true;
	if (unlikely(x->polled) && !trust_late_leaf(x, &how))
		return true;
	if (unlikely(x->awaiting) && !await_leaf(x))
		return true;
	if (how == LEAF_COMPLETE)
		x->complete++;
	else
		x->blocked++;
	return x->program->leaf(x->program, &x->graph, how, 0, 0);
}

/* Does t, one of those that join, only join others that have ended, and then end? alone: all others
 * have ended. */
static inline bool only_joins(struct trust *x, u32 t, bool alone)
{
	u32 node = x->graph.thread[t].node;

	return (alone && !x->returns && x->cache.node[node].quiet == QUIET_JOINS) ||
	       trust_only_joins(x, t);
}

/* Only joining threads are enabled; while others wait they all continue, as main's end is that of
 * the process. Then waiting threads that may read older writes, then a leaf. */
bool trust_step_stuck(struct trust *x, const struct disabled *s)
{
	bool others = s->waiting || s->blocked;
	struct graph *g = &x->graph;

	for (u32 i = 0; unlikely(x->polled) && i < g->nthreads; i++) {
		if (trust_thread_state(x, trust_nth_thread(x, i)) == THREAD_AGAIN)
			return trust_forward(x, trust_nth_thread(x, i));
	}
	for (u64 left = s->joining; left; left &= left - 1) {
		u32 t = (u32)__builtin_ctzll(left);
		bool alone = !others && !(s->joining & (s->joining - 1));

		if (others || !only_joins(x, t, alone) || (!alone && trust_is_joined(x, t)))
			return trust_forward(x, t);
	}
	for (u32 i = 0; s->waiting && i < g->nthreads; i++) {
		u32 t = trust_nth_thread(x, i);

		if (!(s->waiting >> t & 1))
			continue;
		trust_make_room(x);
		if (trust_thread_state(x, t) == THREAD_WAITING &&
			forward_wait(x, t, label_of(x, t)))
			return true;
		if (x->answer != ANSWER_LABEL)
			return false;
	}
	for (u32 t = 0; unlikely(x->late) && t < g->nthreads; t++) {
		if (trust_may_borrow(x, t))
			return trust_forward(x, t);
	}
	if (unlikely(g->mixed) && pieces_any_hang(g))
		return false;
	if (x->clock && others && trust_time_passes(x))
		return true;
	if (x->answer == ANSWER_LABEL && !report_leaf(x, !others))
		trust_stop(x);
	return false;
}
