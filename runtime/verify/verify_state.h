/* SPDX-License-Identifier: ISC */
/*
 * verify_state.h - the state of a search, and its steps: an op of a thread, a commit; undone in
 * reverse.
 *
 * In a header because this is the inner loop of the searches, which are in three files.
 */
#ifndef VERIFY_VERIFY_STATE_H
#define VERIFY_VERIFY_STATE_H

#include "verify/verify_priv.h"

static inline u32 op_index(const struct verify_priv *p, u32 id) /* 1 first */
{
	return id - p->first[p->op[id].thread] + 1;
}

static inline u32 next_op(const struct verify_priv *p, u32 t) /* 0 = none */
{
	u32 id = p->first[t] + p->progress[t];

	return id < p->first[t + 1] ? id : 0;
}

static inline bool needs_met(const struct verify_priv *p, u32 list)
{
	for (; list; list = p->need[list].next) {
		if (p->progress[p->need[list].line] < p->need[list].count)
			return false;
	}
	return true;
}

static inline bool is_committed(const struct verify_priv *p, u32 w)
{
	return p->progress[p->op[w].line] >= p->op[w].at;
}

/* Do other steps permit w to be written to memory now? No read of the present value is left. */
static inline bool may_write(const struct verify_priv *p, const struct op *w)
{
	return !p->unread[p->mem[w->var]] && needs_met(p, w->commit_needs);
}

static inline bool may_commit(const struct verify_priv *p, u32 w)
{
	const struct op *o = &p->op[w];

	return may_write(p, o) && p->committed[o->thread] >= o->before;
}

static inline u32 line_head(const struct verify_priv *p, u32 line) /* has stores that wait */
{
	return p->lop[p->line_start[line] + p->progress[line]];
}

static inline bool has_pending(const struct verify_priv *p, u32 t)
{
	return p->stored[t] != p->committed[t];
}

static inline void set_busy(struct verify_priv *p, u32 line)
{
	u32 b = line - p->nthreads;

	if (p->issued[line] != p->progress[line])
		p->busy[b / 64] |= (u64)1 << b % 64;
	else
		p->busy[b / 64] &= ~((u64)1 << b % 64);
}

/* Carry out the next op of t. */
static inline void run_op(struct verify_priv *p, u32 t)
{
	u32 id = p->first[t] + p->progress[t]++;
	const struct op *o = &p->op[id];

	p->step[p->nsteps] = id;
	p->left--;
	switch (o->kind) {
	case OP_READ:
	case OP_OWN:
		p->unread[o->source]--;
		break;
	case OP_WRITE:
		p->issued[o->line]++;
		p->stored[t]++;
		set_busy(p, o->line);
		break;
	case OP_RMW:
		p->unread[o->source]--;
		/* fall through */
	case OP_PUT:
		p->was[p->nsteps] = p->mem[o->var];
		p->mem[o->var] = (i32)id;
		p->puts_left--;
	}
	p->nsteps++;
}

static inline void commit(struct verify_priv *p, u32 w)
{
	const struct op *o = &p->op[w];

	p->step[p->nsteps] = w | STEP_COMMIT;
	p->was[p->nsteps++] = p->mem[o->var];
	p->mem[o->var] = (i32)w;
	p->progress[o->line]++;
	p->committed[o->thread]++;
	set_busy(p, o->line);
}

/* Undo all steps but the first `mark`. */
static inline void undo(struct verify_priv *p, u32 mark)
{
	while (p->nsteps > mark) {
		u32 s = p->step[--p->nsteps], id = s & ~STEP_COMMIT;
		const struct op *o = &p->op[id];

		if (s & STEP_COMMIT) {
			p->mem[o->var] = p->was[p->nsteps];
			p->progress[o->line]--;
			p->committed[o->thread]--;
			set_busy(p, o->line);
			continue;
		}
		p->progress[o->thread]--;
		p->left++;
		if (o->kind == OP_READ || o->kind == OP_OWN || o->kind == OP_RMW)
			p->unread[o->source]++;
		if (o->kind == OP_WRITE) {
			p->issued[o->line]--;
			p->stored[o->thread]--;
			set_busy(p, o->line);
		} else if (o->kind == OP_PUT || o->kind == OP_RMW) {
			p->mem[o->var] = p->was[p->nsteps];
			p->puts_left++;
		}
	}
}

#endif
