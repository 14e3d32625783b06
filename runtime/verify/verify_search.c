/* SPDX-License-Identifier: ISC */
/*
 * verify_search.c - depth first over the states of an instance. See verify.c.
 *
 * Saturation: all safe steps are taken before a state is considered. A read whose source is in
 * memory is safe, as no write may overwrite the source before; so is an RMW, when no other event
 * still reads its source; a store into the buffer, which other threads cannot see; and a commit
 * without readers, to a location whose value has no pending reader.
 */
#include "verify/verify_state.h"

void verify_reset(struct verify_priv *p)
{
	__builtin_memset(p->progress, 0, p->nlines * sizeof *p->progress);
	__builtin_memset(p->issued, 0, p->nlines * sizeof *p->issued);
	__builtin_memset(p->stored, 0, p->nthreads * sizeof *p->stored);
	__builtin_memset(p->committed, 0, p->nthreads * sizeof *p->committed);
	__builtin_memset(p->busy, 0, p->nbusy * sizeof *p->busy);
	for (u32 x = 0; x < p->nvars; x++)
		p->mem[x] = verify_initial(x);
	p->nsteps = p->nframes = 0;
	p->left = p->nops;
}

/* --- saturation ------------------------------------------------------------------------------ */

/* plain: only the safe steps of the paper's search for TSO. */
static inline bool op_is_ready(const struct verify_priv *p, u32 id, bool plain)
{
	const struct op *o = &p->op[id];

	if (o->run_needs && !needs_met(p, o->run_needs))
		return false;
	switch (o->kind) {
	case OP_READ:
		return p->mem[o->var] == o->source;
	case OP_FENCE:
		return !has_pending(p, o->thread);
	case OP_RMW:
		return !plain && p->mem[o->var] == o->source && p->unread[o->source] == 1 &&
		       needs_met(p, o->commit_needs);
	case OP_PUT:
		return !plain && !p->unread[id] && may_write(p, o);
	default:
		return true;
	}
}

static void run_ready(struct verify_priv *p, bool plain)
{
	for (u32 t = 0; t < p->nthreads; t++) {
		u32 id = p->first[t] + p->progress[t], end = p->first[t + 1];

		for (; id < end && op_is_ready(p, id, plain); id++)
			run_op(p, t);
	}
}

/* Commits without readers. */
static void commit_useless(struct verify_priv *p)
{
	for (u32 i = 0; i < p->nbusy; i++) {
		for (u64 todo = p->busy[i]; todo; todo &= todo - 1) {
			u32 line = p->nthreads + 64 * i + (u32)__builtin_ctzll(todo);

			while (p->issued[line] != p->progress[line]) {
				u32 w = line_head(p, line);

				if (p->unread[w] || !may_commit(p, w))
					break;
				commit(p, w);
			}
		}
	}
}

static void saturate(struct verify_priv *p, bool plain)
{
	bool threads = !plain || !is_pso(p), commits = !plain || is_pso(p);
	u32 n;

	do {
		n = p->nsteps;
		if (threads)
			run_ready(p, plain);
		if (commits)
			commit_useless(p);
	} while (p->nsteps != n && p->left);
}

/* --- choices --------------------------------------------------------------------------------- */

/* Of the threads in the set, the one whose next step was pushed first. */
static u32 preferred(const struct verify_priv *p, u64 set)
{
	u32 best = (u32)__builtin_ctzll(set), rank = UINT32_MAX;

	if (!(set & (set - 1)))
		return best;
	for (; set; set &= set - 1) {
		u32 t = (u32)__builtin_ctzll(set), id = next_op(p, t), r;

		if (!is_pso(p) && has_pending(p, t))
			id = line_head(p, p->nthreads + t);
		r = p->op[id].event;
		if (r < rank) {
			rank = r;
			best = t;
		}
	}
	return best;
}

static void push_frame(struct verify_priv *p, bool plain)
{
	struct verify_frame *f = &p->frame[p->nframes++];

	f->mark = p->nsteps;
	f->advances = 0;
	f->threads = is_pso(p) ? verify_pso_choices(p, plain, &f->advances)
					   : verify_tso_choices(p, plain);
}

/* Take the next choice of the last frame. False: none is left. */
static bool take_choice(struct verify_priv *p, struct verify_frame *f)
{
	while (f->threads) {
		u32 t = preferred(p, f->threads);

		f->threads &= ~((u64)1 << t);
		if (is_pso(p) ? verify_pso_take(p, t) : verify_tso_take(p, t))
			return true;
		undo(p, f->mark);
	}
	while (f->advances) {
		u32 t = (u32)__builtin_ctzll(f->advances);

		f->advances &= f->advances - 1;
		if (verify_pso_advance(p, t))
			return true;
		undo(p, f->mark);
	}
	return false;
}

/* Has the state been visited? If not, mark it as visited. */
static enum key_seen seen_state(struct verify_priv *p)
{
	u32 n = is_pso(p) ? verify_pso_key(p, p->key) : verify_tso_key(p, p->key);

	return verify_seen(p, p->key, n);
}

/* A probe gives up at the first dead end, or after a few in a large instance, whose closure is
 * expensive. */
#define PATIENCE 64 /* ops a dead end */

enum verify_answer verify_search(struct verify *v, bool probe)
{
	struct verify_priv *p = v->priv;
	bool plain = v->way & VERIFY_PLAIN;
	u32 patience = p->nops / PATIENCE;

	undo(p, 0);
	p->nframes = 0;
	if (!probe)
		verify_seen_clear(p);
	for (;;) {
		enum key_seen seen = SEEN_NEW;

		saturate(p, plain);
		if (!p->left)
			return VERIFY_YES;
		if (!probe)
			seen = seen_state(p);
		if (seen == SEEN_FULL)
			return VERIFY_MEMORY;
		if (seen == SEEN_NEW) {
			if (!probe && ++v->states > v->budget && v->budget)
				return VERIFY_BUDGET;
			push_frame(p, plain);
		} else {
			undo(p, p->frame[p->nframes - 1].mark);
		}
		while (!take_choice(p, &p->frame[p->nframes - 1])) {
			if ((probe && !patience--) || !--p->nframes)
				return VERIFY_NO;
			undo(p, p->frame[p->nframes - 1].mark);
		}
	}
}
