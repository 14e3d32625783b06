/* SPDX-License-Identifier: ISC */
/*
 * verify_naive.c - the baseline: all states of the machine in which every read so far has got its
 * source.
 *
 * Every step of every thread and every commit that the machine could do is tried; a read only if it
 * would read its source now; a write to memory only if no read still needs the value it overwrites.
 * A state is the progress of all lines. Exponential: the baseline of the others.
 */
#include "verify/verify_state.h"

/* The write that the thread's read of the location would return now. */
static i32 machine_read(const struct verify_priv *p, u32 t, u32 var)
{
	for (u32 i = p->stored[t]; i-- > 0;) {
		u32 w = p->store[p->first_store[t] + i];

		if (p->op[w].var == var && !is_committed(p, w))
			return (i32)w;
	}
	return p->mem[var];
}

static bool may_step_now(const struct verify_priv *p, u32 t)
{
	u32 id = next_op(p, t);
	const struct op *o = &p->op[id];

	if (!id || !needs_met(p, o->run_needs))
		return false;
	switch (o->kind) {
	case OP_READ:
	case OP_OWN:
		return machine_read(p, t, o->var) == o->source;
	case OP_RMW:
		return p->mem[o->var] == o->source && p->unread[o->source] == 1;
	case OP_PUT:
		return !p->unread[p->mem[o->var]];
	case OP_FENCE:
		return !has_pending(p, t);
	default:
		return true;
	}
}

static bool may_pop(const struct verify_priv *p, u32 line)
{
	const struct op *o = &p->op[line_head(p, line)];

	return !p->unread[p->mem[o->var]] && p->committed[o->thread] >= o->before;
}

/* Perform the first possible step of line `from` or a later line; returns its line + 1, 0 =
 * none. */
static u32 step_from(struct verify_priv *p, u32 from)
{
	for (u32 l = from; l < p->nlines; l++) {
		if (l < p->nthreads) {
			if (!may_step_now(p, l))
				continue;
			run_op(p, l);
			return l + 1;
		}
		if (p->issued[l] == p->progress[l] || !may_pop(p, l))
			continue;
		commit(p, line_head(p, l));
		return l + 1;
	}
	return 0;
}

enum verify_answer verify_naive(struct verify *v)
{
	struct verify_priv *p = v->priv;
	u32 next;

	verify_seen_clear(p);
	p->frame[0].next = 0;
	p->nframes = 1;
	while (p->nframes) {
		struct verify_frame *f = &p->frame[p->nframes - 1];
		enum key_seen seen;

		if (!p->left)
			return VERIFY_YES;
		undo(p, p->nframes - 1); /* a frame a step */
		next = step_from(p, f->next);
		if (!next) {
			p->nframes--;
			continue;
		}
		f->next = next;
		seen = verify_seen(p, p->progress, p->nlines);
		if (seen == SEEN_FULL)
			return VERIFY_MEMORY;
		if (seen == SEEN_OLD)
			continue;
		if (++v->states > v->budget && v->budget)
			return VERIFY_BUDGET;
		p->frame[p->nframes++].next = 0;
	}
	return VERIFY_NO;
}
