/* SPDX-License-Identifier: ISC */
/*
 * verify_tso.c - the search's choices under TSO and SC: the thread that commits next. VerifyTSO:
 * algorithm 1 of the paper named in verify.h.
 *
 * For the commits that have been done, saturation has run all threads as far as any schedule can
 * with these. So a state is known by its commits: the oldest store of a thread's buffer, or a store
 * that is carried out at once, is the only choice of the thread.
 */
#include "verify/verify_state.h"

/* plain: RMWs are choices, too. */
static bool may_put(const struct verify_priv *p, u32 id, bool plain)
{
	const struct op *o = &p->op[id];

	if (!id || !needs_met(p, o->run_needs))
		return false;
	if (o->kind == OP_PUT)
		return may_write(p, o);
	return plain && o->kind == OP_RMW && p->mem[o->var] == o->source &&
	       p->unread[o->source] == 1 && needs_met(p, o->commit_needs);
}

u64 verify_tso_choices(struct verify_priv *p, bool plain)
{
	u64 set = 0;

	for (u32 t = 0; t < p->nthreads; t++) {
		if (has_pending(p, t) ? may_commit(p, line_head(p, p->nthreads + t))
				      : may_put(p, next_op(p, t), plain))
			set |= (u64)1 << t;
	}
	return set;
}

bool verify_tso_take(struct verify_priv *p, u32 t)
{
	if (has_pending(p, t))
		commit(p, line_head(p, p->nthreads + t));
	else
		run_op(p, t);
	return true;
}

u32 verify_tso_key(struct verify_priv *p, u16 *key)
{
	u32 n = 0;

	for (u32 t = 0; t < p->nthreads; t++) {
		key[n++] = p->progress[t];
		if (p->buffers == BUFFERS_FIFO)
			key[n++] = p->committed[t];
	}
	return n;
}
