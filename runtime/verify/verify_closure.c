/* SPDX-License-Identifier: ISC */
/*
 * verify_closure.c - the order of steps that every schedule of an instance obeys: the closure of
 * the paper that verify.h names.
 *
 * For a read r of the write w and another write v to the location, by another thread than r's:
 *
 *     v before r  =>  v before w		w before v  =>  r before v
 *
 * (v, w: when they are committed; r: when it is run), starting from the order of lines, fences,
 * store fences, sources, and the needs from verify_instance.c, until nothing is new. An RMW is one
 * step, which makes the paper's rules 4 and 5 part of these. A cycle: there is no schedule.
 *
 * The order is kept as rows, one a step: how many steps of each line are not after it. A round
 * computes all rows, in a topological order, which it finds by letting all lines go as far as they
 * can, then looks at each thread's last read of each source (it has the largest past, and what must
 * come after it must come after the others) and, of each queue of writes, at one v: the last one
 * before r, the first one after w. New edges become needs of commits, which the search obeys later.
 * Before the first round the edges known without rows are tried: nearly all instances with a cycle
 * have it there.
 */
#include "verify/verify_state.h"

struct closure {
	struct verify_priv *p;
	u16 *rows;  /* NULL: only find whether an order exists */
	u32 lanes;
	u32 done;   /* steps with rows */
	u32 added;  /* edges */
	bool cycle; /* found by looking at reads */
};

/* Rows: 0 is zero, then ops, commits, per thread all its commits so far, and those of earlier
 * epochs. */
static u16 *row_at(const struct closure *c, u32 i)
{
	return c->rows + (size_t)i * c->lanes;
}

static u16 *commit_row(const struct closure *c, u32 w)
{
	const struct op *o = &c->p->op[w];

	return row_at(c, o->kind == OP_WRITE ? c->p->nops + o->node : w);
}

static u16 *committed_row(const struct closure *c, u32 t)
{
	return row_at(c, c->p->nops + c->p->nstores + 1 + t);
}

static u16 *epoch_row(const struct closure *c, u32 t)
{
	return row_at(c, c->p->nops + c->p->nstores + 1 + c->p->nthreads + t);
}

static bool row_has_write(const struct closure *c, const u16 *row, u32 w)
{
	return row[c->p->op[w].line] >= c->p->op[w].at;
}

static void join_needs(struct closure *c, u16 *row, u32 list)
{
	const struct verify_priv *p = c->p;

	for (; list; list = p->need[list].next) {
		u32 line = p->need[list].line, i = p->need[list].count - 1u;

		clock_join(row, line < p->nthreads ? row_at(c, p->first[line] + i)
						   : commit_row(c, p->lop[p->line_start[line] + i]),
			c->lanes);
	}
}

/* --- rows ------------------------------------------------------------------------------------ */

static bool op_ready(const struct verify_priv *p, const struct op *o)
{
	if (!needs_met(p, o->run_needs) || !needs_met(p, o->commit_needs))
		return false;
	if (o->kind == OP_READ || o->kind == OP_RMW)
		return o->source < 0 || is_committed(p, (u32)o->source);
	return o->kind != OP_FENCE || !has_pending(p, o->thread);
}

static void op_row(struct closure *c, u32 t, u32 id)
{
	const struct op *o = &c->p->op[id];
	u32 at = c->p->progress[t];
	u16 *row = row_at(c, id);

	clock_copy(row, row_at(c, at ? id - 1 : 0), c->lanes);
	row[t] = (u16)(at + 1);
	join_needs(c, row, o->run_needs);
	if ((o->kind == OP_READ || o->kind == OP_RMW) && o->source > 0)
		clock_join(row, commit_row(c, (u32)o->source), c->lanes);
	if (o->kind == OP_FENCE)
		clock_join(row, committed_row(c, t), c->lanes);
	if (o->kind != OP_WRITE)
		join_needs(c, row, o->commit_needs);
}

static void write_row(struct closure *c, u32 line, u32 w)
{
	const struct verify_priv *p = c->p;
	const struct op *o = &p->op[w];
	u16 *row = commit_row(c, w);

	clock_copy(row, row_at(c, w), c->lanes);
	if (o->at > 1)
		clock_join(row, commit_row(c, p->lop[p->line_start[line] + o->at - 2u]), c->lanes);
	if (o->before && p->committed[o->thread] == o->before)
		clock_copy(epoch_row(c, o->thread), committed_row(c, o->thread), c->lanes);
	if (o->before)
		clock_join(row, epoch_row(c, o->thread), c->lanes);
	row[line] = o->at;
	join_needs(c, row, o->commit_needs);
	clock_join(committed_row(c, o->thread), row, c->lanes);
}

/* The next op of t. */
static bool place_op(struct closure *c, u32 t, u32 id)
{
	struct verify_priv *p = c->p;
	const struct op *o = &p->op[id];

	/* A store into the buffer has needs only when it is committed. */
	if (o->kind == OP_WRITE ? !needs_met(p, o->run_needs) : !op_ready(p, o))
		return false;
	if (c->rows)
		op_row(c, t, id);
	if (o->kind == OP_WRITE) {
		p->issued[o->line]++;
		p->stored[t]++;
		set_busy(p, o->line);
	}
	p->progress[t]++;
	c->done++;
	return true;
}

/* The next commit of a line. */
static bool place_commit(struct closure *c, u32 line)
{
	struct verify_priv *p = c->p;
	u32 w = line_head(p, line);
	const struct op *o = &p->op[w];

	if (!needs_met(p, o->commit_needs) || p->committed[o->thread] < o->before)
		return false;
	if (c->rows)
		write_row(c, line, w);
	p->progress[line]++;
	p->committed[o->thread]++;
	set_busy(p, line);
	c->done++;
	return true;
}

static void place_commits(struct closure *c)
{
	struct verify_priv *p = c->p;

	for (u32 i = 0; i < p->nbusy; i++) {
		for (u64 todo = p->busy[i]; todo; todo &= todo - 1) {
			u32 line = p->nthreads + 64 * i + (u32)__builtin_ctzll(todo);

			while (p->issued[line] != p->progress[line] && place_commit(c, line))
				;
		}
	}
}

/* Can all steps be ordered? c->rows: compute all rows. */
static bool put_in_order(struct closure *c)
{
	struct verify_priv *p = c->p;
	u32 before;

	verify_reset(p);
	if (c->rows)
		__builtin_memset(
			committed_row(c, 0), 0, p->nthreads * (size_t)c->lanes * sizeof(u16));
	c->done = 0;
	do {
		before = c->done;
		for (u32 t = 0; t < p->nthreads; t++) {
			u32 id = p->first[t] + p->progress[t];

			while (id < p->first[t + 1] && place_op(c, t, id))
				id++;
		}
		place_commits(c);
	} while (c->done != before);
	return c->done == p->nops + p->nstores;
}

/* --- rules ----------------------------------------------------------------------------------- */

/* Step `count` of the line comes before the commit of w. Without room the closure is a bit
 * weaker. */
static void add_need(struct closure *c, u32 w, u32 line, u32 count)
{
	c->added += verify_need(c->p, &c->p->op[w].commit_needs, line, count);
}

/* Read r comes before the commit of v, of another thread. */
static void order_read(struct closure *c, u32 r, u32 v)
{
	u32 t = c->p->op[r].thread, i = op_index(c->p, r);

	if (commit_row(c, v)[t] < i)
		add_need(c, v, t, i);
}

/* The number of writes of the queue, from the first, that are in the row. */
static u32 count_before(const struct closure *c, const struct write_queue *q, const u16 *row)
{
	const u32 *v = c->p->qop + q->start;
	u32 low = 0, high = q->n;

	while (low < high) {
		u32 mid = (low + high) / 2;

		if (row_has_write(c, row, v[mid]))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The first write of the queue after w; q->n: none. */
static u32 first_after(const struct closure *c, const struct write_queue *q, u32 w)
{
	const u32 *v = c->p->qop + q->start;
	u32 low = 0, high = q->n;

	while (low < high) {
		u32 mid = (low + high) / 2;

		if (row_has_write(c, commit_row(c, v[mid]), w))
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

/* Read r of w, and the writes of another thread in q. */
static void apply(struct closure *c, u32 r, i32 w, const struct write_queue *q)
{
	const struct verify_priv *p = c->p;
	const u32 *v = p->qop + q->start;
	u32 n = count_before(c, q, row_at(c, r)), next = 0;

	if (w < 0) {
		c->cycle |= n > 0;
	} else if (q == &p->queue[p->op[w].queue]) {
		next = p->op[w].slot + 1u;
		c->cycle |= n > next;
	} else {
		next = first_after(c, q, (u32)w);
		c->cycle |= n > next;
		if (n && !row_has_write(c, commit_row(c, (u32)w), v[n - 1]))
			add_need(c, (u32)w, p->op[v[n - 1]].line, p->op[v[n - 1]].at);
	}
	if (next < q->n)
		order_read(c, r, v[next]);
}

static void apply_all(struct closure *c)
{
	const struct verify_priv *p = c->p;

	for (u32 r = 1; r <= p->nops && !c->cycle; r++) {
		const struct op *o = &p->op[r];

		if (!o->last)
			continue;
		for (u32 q = p->var[o->var].queues; q; q = p->queue[q].next) {
			if (p->queue[q].thread != o->thread)
				apply(c, r, o->source, &p->queue[q]);
		}
	}
}

/* Edges that need no rows: a read comes before the earliest write that overwrites its source. */
static void seed(struct closure *c)
{
	const struct verify_priv *p = c->p;

	for (u32 r = 1; r <= p->nops; r++) {
		const struct op *o = &p->op[r];
		u32 t = o->thread, q = o->source > 0 ? p->op[o->source].queue : 0;

		if (!o->last || (q && p->queue[q].thread == t))
			continue;
		if (q && p->op[o->source].slot + 1u < p->queue[q].n)
			add_need(c, p->qop[p->queue[q].start + p->op[o->source].slot + 1], t,
				op_index(p, r));
		for (q = q ? 0 : p->var[o->var].queues; q; q = p->queue[q].next) {
			if (p->queue[q].thread != t)
				add_need(c, p->qop[p->queue[q].start], t, op_index(p, r));
		}
	}
}

bool verify_closure(struct verify *v)
{
	struct verify_priv *p = v->priv;
	struct closure c = {.p = p, .lanes = (p->nlines + CLOCK_LANES - 1) & ~(CLOCK_LANES - 1u)};
	size_t rows = p->nops + p->nstores + 1 + 2 * (size_t)p->nthreads;
	bool fine;

	undo(p, 0);
	seed(&c);
	fine = put_in_order(&c);
	if (fine && rows * c.lanes * sizeof(u16) <= p->rest.size) {
		c.rows = (u16 *)p->rest.mem;
		__builtin_memset(c.rows, 0, c.lanes * sizeof(u16));
	}
	while (fine && c.rows) {
		v->edges += c.added;
		c.added = 0;
		v->rounds++;
		fine = put_in_order(&c);
		if (fine)
			apply_all(&c);
		fine &= !c.cycle;
		if (!c.added)
			break;
	}
	verify_reset(p);
	return fine;
}
