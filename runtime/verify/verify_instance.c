/* SPDX-License-Identifier: ISC */
/*
 * verify_instance.c - an instance in normal form, and the constraints of each thread alone on its
 * sources.
 *
 * Two passes over the events, thread by thread. The first makes ops, locations, queues, lines. The
 * second knows all writes and follows the values of each location that each thread reads: a read of
 * an own write must read the last one; no later read may read an older write; and writes reach
 * memory in the order in which they are read, which gives the first needs of commits. (One of them:
 * a store of a thread precedes another thread's write that it reads later: condition 2(b) of the
 * paper.)
 */
#include "verify/verify_state.h"

bool verify_need(struct verify_priv *p, u32 *list, u32 line, u32 count)
{
	for (u32 i = *list; i; i = p->need[i].next) {
		if (p->need[i].line != line)
			continue;
		if (p->need[i].count < count)
			p->need[i].count = (u16)count;
		return true;
	}
	if (p->nneeds + 1 == p->max_needs)
		return false;
	p->need[++p->nneeds] = (struct needed_step){(u16)line, (u16)count, *list};
	*list = p->nneeds;
	return true;
}

/* --- ops ------------------------------------------------------------------------------------- */

/* The thread being translated. */
struct maker {
	struct verify_priv *p;
	u32 t;
	u32 fresh;	 /* stores since the last fence */
	u32 stores;
	u32 before;	 /* stores of earlier epochs */
	u32 epoch;
	bool fence_due;	 /* before the next op */
};

static u32 var_of(struct verify_priv *p, u32 loc)
{
	if (p->var_of[loc].stamp != p->stamp) {
		p->var_of[loc].stamp = p->stamp;
		p->var_of[loc].var = p->nvars;
		p->var[p->nvars++] = (struct vvar){.queues = 0};
	}
	return p->var_of[loc].var;
}

static struct op *new_op(struct maker *m, u32 event, enum op_kind kind)
{
	struct verify_priv *p = m->p;
	struct op *o = &p->op[++p->nops];

	*o = (struct op){.event = event, .kind = (u8)kind, .thread = (u8)m->t};
	return o;
}

static void fence(struct maker *m, u32 event, bool silent)
{
	new_op(m, event, OP_FENCE)->silent = silent;
	m->p->last_fence[m->t] = m->p->nops;
	m->fresh = 0;
	m->before = m->stores;
}

static u32 variable_queue(struct maker *m, u32 var)
{
	struct verify_priv *p = m->p;
	u32 q = p->var[var].queues;

	if (q && p->queue[q].thread == m->t)
		return q;
	p->queue[++p->nqueues] =
		(struct write_queue){.next = q, .var = (u16)var, .thread = (u8)m->t};
	p->var[var].queues = p->nqueues;
	return p->nqueues;
}

/* Does a store reach memory at once, so that its thread's next op reads it there? */
static bool is_put(const struct verify_priv *p, u32 flags)
{
	if (p->buffers == BUFFERS_NONE || flags & E_FULL)
		return true;
	return flags & E_FULL_AFTER && (p->buffers == BUFFERS_FIFO || flags & E_STORES);
}

static void new_write(struct maker *m, struct op *o, u32 var)
{
	struct verify_priv *p = m->p;
	u32 q = variable_queue(m, var);

	o->queue = (u16)q;
	o->slot = (u16)p->queue[q].n++;
	if (o->kind != OP_WRITE) {
		o->line = (u16)m->t;
		o->at = (u16)op_index(p, p->nops);
		p->puts_left++;
		return;
	}
	p->store[p->nstores++] = p->nops;
	o->node = p->nstores;
	m->stores++;
	m->fresh++;
	if (p->buffers == BUFFERS_FIFO) {
		o->line = (u16)(p->nthreads + m->t);
		o->at = (u16)m->stores;
		return;
	}
	o->line = (u16)(p->nthreads + q - 1);
	o->at = ++p->queue[q].nlines;
	o->before = (u16)m->before;
	o->epoch = (u16)m->epoch;
	p->epochs |= m->epoch > 1;
}

/* Returns the event after it. */
static u32 new_access(struct maker *m, u32 e)
{
	struct verify_priv *p = m->p;
	u32 flags = p->in[e].flags, next = p->in[e].next;
	enum op_kind kind = flags & E_READ ? OP_READ : is_put(p, flags) ? OP_PUT : OP_WRITE;
	struct op *o;

	if (flags & E_READ &&
		(flags & E_WRITE || (flags & E_EXCL && next && p->in[next].flags & E_EXCL &&
					    p->in[next].flags & E_WRITE)))
		kind = OP_RMW;
	o = new_op(m, e, kind);
	o->silent = flags & E_WAIT;
	o->var = (u16)var_of(p, p->in[e].loc);
	if (kind != OP_READ)
		new_write(m, o, o->var);
	p->in[e].op = p->nops;
	m->fence_due = kind == OP_WRITE && flags & E_FULL_AFTER;
	if (kind != OP_RMW || flags & E_WRITE)
		return next;
	p->in[next].op = p->nops;
	return p->in[next].next;
}

static void new_epoch(struct maker *m)
{
	if (m->stores == m->before)
		return;
	m->before = m->stores;
	m->epoch++;
}

static u32 make_event(struct maker *m, u32 e)
{
	struct verify_priv *p = m->p;
	u32 flags = p->in[e].flags;
	bool access = flags & (E_READ | E_WRITE), full = flags & E_FULL || m->fence_due;

	if (flags & E_WRITE && !(flags & E_READ) && is_put(p, flags))
		full = true;
	if (p->buffers == BUFFERS_BY_LOCATION && flags & E_STORES)
		new_epoch(m);
	m->fence_due = false;
	if (full && m->fresh)
		fence(m, e, access);
	else if (!access)
		new_op(m, e, OP_NONE);
	if (access)
		return new_access(m, e);
	p->in[e].op = p->nops;
	return p->in[e].next;
}

static void make_thread(struct verify_priv *p, u32 t)
{
	struct maker m = {.p = p, .t = t, .epoch = 1};

	p->first[t] = p->nops + 1;
	p->first_store[t] = p->nstores;
	p->last_fence[t] = 0;
	for (u32 e = p->in_first[t]; e;)
		e = make_event(&m, e);
	p->overflow |= p->nops + 1 - p->first[t] > CLOCK_MAX; /* the closure's rows are clocks */
}

static void make_lines(struct verify_priv *p)
{
	u32 at = 0, start = 0;

	p->nlines = p->nthreads;
	for (u32 t = 0; t < p->nthreads && p->buffers == BUFFERS_FIFO; t++)
		p->line_start[p->nlines++] = p->first_store[t];
	for (u32 q = 1; q <= p->nqueues; q++) {
		p->queue[q].start = start;
		start += p->queue[q].n;
		if (p->buffers != BUFFERS_BY_LOCATION)
			continue;
		p->line_start[p->nlines++] = at;
		at += p->queue[q].nlines;
	}
	p->lop = p->buffers == BUFFERS_BY_LOCATION ? p->by_line : p->store;
	p->nbusy = (p->nlines - p->nthreads + 63) / 64;
}

/* --- sources --------------------------------------------------------------------------------- */

/* The write that op id of thread t reads from. */
static i32 source_of(const struct verify_priv *p, u32 id)
{
	const struct op *o = &p->op[id];
	u32 w = p->in[o->event].source, s;

	if (!w)
		return verify_initial(o->var);
	BUG_ON(w > p->n);
	s = p->in[w].op;
	BUG_ON(!s || p->op[s].kind < OP_WRITE || p->op[s].kind > OP_RMW || p->op[s].var != o->var);
	return (i32)s;
}

static bool take_source(struct verify_priv *p, struct vvar *x, i32 s)
{
	bool *taken = s < 0 ? &x->init_taken : &p->op[s].taken, was = *taken;

	*taken = true;
	return !was;
}

static bool read_source(struct verify_priv *p, struct vvar *x, u32 id)
{
	struct op *o = &p->op[id];
	i32 s = source_of(p, id);

	o->source = s;
	if (s < 0) {
		if (x->seen != s)
			return false;
	} else if (p->op[s].thread == o->thread) {
		if (x->own != (u32)s || x->seen != s)
			return false;
		if (o->kind == OP_READ)
			o->kind = OP_OWN;
	} else if (x->seen >= 0 && x->seen != s) {
		p->overflow |= !verify_need(
			p, &p->op[s].commit_needs, p->op[x->seen].line, p->op[x->seen].at);
	}
	if (o->kind == OP_RMW && !take_source(p, x, s))
		return false;
	x->seen = s;
	p->unread[s]++;
	o->last = true;
	if (x->last_read && p->op[x->last_read].source == s)
		p->op[x->last_read].last = false;
	x->last_read = id;
	return true;
}

static void list_write(struct verify_priv *p, struct vvar *x, u32 id)
{
	const struct op *o = &p->op[id];

	p->qop[p->queue[o->queue].start + o->slot] = id;
	if (o->kind == OP_WRITE && p->buffers == BUFFERS_BY_LOCATION)
		p->by_line[p->line_start[o->line] + o->at - 1] = id;
	x->own = id;
	x->seen = (i32)id;
	if (o->kind != OP_RMW)
		x->last_read = 0;
}

static bool link_thread(struct verify_priv *p, u32 t)
{
	for (u32 id = p->first[t]; id < p->first[t + 1]; id++) {
		struct op *o = &p->op[id];
		struct vvar *x = &p->var[o->var];

		if (o->kind == OP_NONE || o->kind == OP_FENCE)
			continue;
		if (x->thread != t + 1) {
			x->thread = (u16)(t + 1);
			x->own = x->last_read = 0;
			x->seen = verify_initial(o->var);
		}
		if ((o->kind == OP_READ || o->kind == OP_RMW) && !read_source(p, x, id))
			return false;
		if (o->kind >= OP_WRITE && o->kind <= OP_RMW)
			list_write(p, x, id);
	}
	return true;
}

/* PSO's keys need the last read of each source. */
static void list_readers(struct verify_priv *p)
{
	for (i32 s = -(i32)p->nvars; s <= (i32)p->nops; s++)
		p->readers[s] = 0;
	for (u32 id = 1; id <= p->nops; id++) {
		struct op *o = &p->op[id];

		if (!o->last)
			continue;
		o->reader = (u32)p->readers[o->source];
		p->readers[o->source] = (i32)id;
	}
}

/* False: there is a cycle. */
static bool link_orders(struct verify_priv *p)
{
	for (u32 i = 0; i < p->norders; i++) {
		u32 a = p->in[p->order[i].before].op, b = p->in[p->order[i].after].op;

		BUG_ON(!a || !b);
		if (a == b)
			return false;
		p->overflow |= !verify_need(
			p, &p->op[b].run_needs, p->op[a].thread, op_index(p, a));
	}
	return true;
}

bool verify_instance(struct verify_priv *p)
{
	if (!++p->stamp) {
		__builtin_memset(p->var_of, 0, p->max_locs * sizeof *p->var_of);
		p->stamp = 1;
	}
	p->nvars = p->nops = p->nqueues = p->nstores = p->nneeds = p->puts_left = 0;
	p->epochs = false;
	for (u32 t = 0; t < p->nthreads; t++)
		make_thread(p, t);
	p->first[p->nthreads] = p->nops + 1;
	p->first_store[p->nthreads] = p->nstores;
	make_lines(p);
	__builtin_memset(p->unread - p->nvars, 0, (p->nvars + p->nops + 1) * sizeof *p->unread);
	for (u32 t = 0; t < p->nthreads; t++) {
		if (!link_thread(p, t))
			return false;
	}
	if (p->buffers == BUFFERS_BY_LOCATION)
		list_readers(p);
	return link_orders(p);
}
