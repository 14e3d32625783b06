/* SPDX-License-Identifier: ISC */
/*
 * verify_pso.c - the search's choices under PSO: the op for which commits are made. VerifyPSO:
 * algorithm 2 of the paper named in verify.h.
 *
 * A commit with readers is done when its first read, or a fence that needs it, is run, not before.
 * Other commits are done as soon as no read needs the value they overwrite: saturation. So a state
 * is known from the ops run, except for the commits of the second kind that are still impossible
 * because reads hold their locations. These matter
 *
 *     - where their thread has a fence ahead: the *fence map* says how long, by the last read of
 *       each other thread that holds such a location. (The paper leaves out reads of what the other
 *       thread has stored itself; its own store may be in memory for a third thread's sake, and
 *       hold the location until then, so they count here.)
 *     - where a PUT or an RMW to the location is still to come: RMW after RMW can hold a location
 *       for ever. These locations are part of the key (not so in the paper: verify.c).
 *     - where their thread has later epochs. The commits of an epoch are possible once those before
 *       it are done, so all stuck commits belong to one epoch, whose number is part of the key. To
 *       end an epoch is a choice of its own: see verify.c. A need of a later epoch ends those
 *       before it, too.
 */
#include "verify/verify_state.h"

/* A store of t's current epoch: those of earlier ones are committed. A store of t is pending. */
static const struct op *in_epoch(const struct verify_priv *p, u32 t)
{
	return &p->op[p->store[p->first_store[t] + p->committed[t]]];
}

/* The first store of t that is not committed. There is one. */
static u32 pending_from(const struct verify_priv *p, u32 t)
{
	return in_epoch(p, t)->before;
}

static u32 epoch_of(const struct verify_priv *p, u32 t)
{
	return has_pending(p, t) ? in_epoch(p, t)->epoch : 0;
}

/* Commit the pending stores of t in [from, to), in order. False: one cannot be committed. */
static bool commit_range(struct verify_priv *p, u32 t, u32 from, u32 to)
{
	for (u32 i = from; i < to; i++) {
		u32 w = p->store[p->first_store[t] + i];

		if (is_committed(p, w))
			continue;
		if (!may_commit(p, w))
			return false;
		commit(p, w);
	}
	return true;
}

/* Commit w and the stores that must precede it. */
static bool commit_for(struct verify_priv *p, u32 w)
{
	const struct op *o = &p->op[w];

	if (o->kind != OP_WRITE || p->issued[o->line] < o->at)
		return false;
	if (!commit_range(p, o->thread, pending_from(p, o->thread), o->before))
		return false;
	while (p->progress[o->line] < o->at) {
		u32 first = line_head(p, o->line);

		if (!may_commit(p, first))
			return false;
		commit(p, first);
	}
	return true;
}

/* Is the choice worth trying? */
static bool may_run(const struct verify_priv *p, u32 id, bool plain)
{
	const struct op *o = &p->op[id];

	if (!id || !needs_met(p, o->run_needs))
		return false;
	switch (o->kind) {
	case OP_READ:
	case OP_RMW:
		return plain || (o->source > 0 && !is_committed(p, (u32)o->source));
	case OP_PUT:
		return may_write(p, o);
	case OP_FENCE:
		return true;
	default:
		return plain;
	}
}

u64 verify_pso_choices(struct verify_priv *p, bool plain, u64 *advances)
{
	u64 set = 0;

	for (u32 t = 0; t < p->nthreads; t++) {
		u32 last = p->first_store[t] + p->stored[t];
		u32 id = next_op(p, t);

		if (may_run(p, id, plain))
			set |= (u64)1 << t;
		if (p->epochs && has_pending(p, t) &&
			p->op[p->store[last - 1]].epoch != epoch_of(p, t))
			*advances |= (u64)1 << t;
	}
	return set;
}

bool verify_pso_take(struct verify_priv *p, u32 t)
{
	u32 id = next_op(p, t);
	const struct op *o = &p->op[id];

	if ((o->kind == OP_READ || o->kind == OP_RMW) && p->mem[o->var] != o->source &&
		(o->source < 0 || !commit_for(p, (u32)o->source)))
		return false;
	if (o->kind == OP_RMW && (p->unread[o->source] != 1 || !needs_met(p, o->commit_needs)))
		return false;
	if (o->kind == OP_FENCE && has_pending(p, t) &&
		!commit_range(p, t, pending_from(p, t), p->stored[t]))
		return false;
	run_op(p, t);
	return true;
}

bool verify_pso_advance(struct verify_priv *p, u32 t)
{
	u32 from = pending_from(p, t), to = from, epoch = epoch_of(p, t);

	while (to < p->stored[t] && p->op[p->store[p->first_store[t] + to]].epoch == epoch)
		to++;
	return commit_range(p, t, from, to);
}

/* --- keys ------------------------------------------------------------------------------------ */

/* Enter the reads that hold the location: until they are done, the thread cannot commit its first
 * store. */
static void map_line(const struct verify_priv *p, u32 w, u16 *row)
{
	i32 held = p->mem[p->op[w].var];

	if (!p->unread[held])
		return;
	for (u32 r = (u32)p->readers[held]; r; r = p->op[r].reader) {
		u32 u = p->op[r].thread, i = op_index(p, r);

		if (p->progress[u] < i && row[u] < i)
			row[u] = (u16)i;
	}
}

u32 verify_pso_key(struct verify_priv *p, u16 *key)
{
	u32 n = 0, k = p->nthreads, map;

	for (u32 t = 0; t < k; t++) {
		key[n++] = p->progress[t];
		if (p->epochs)
			key[n++] = (u16)epoch_of(p, t);
	}
	map = n;
	if (!p->puts_left) {
		__builtin_memset(key + map, 0, k * k * sizeof *key);
		n += k * k;
	}
	for (u32 i = 0; i < p->nbusy; i++) {
		for (u64 todo = p->busy[i]; todo; todo &= todo - 1) {
			u32 line = k + 64 * i + (u32)__builtin_ctzll(todo), w = line_head(p, line);
			u32 t = p->op[w].thread;

			if (p->epochs && p->op[w].epoch != epoch_of(p, t))
				continue;
			if (p->puts_left)
				key[n++] = (u16)line;
			else if (p->epochs || p->last_fence[t] >= p->first[t] + p->progress[t])
				map_line(p, w, key + map + t * k);
		}
	}
	return n;
}
