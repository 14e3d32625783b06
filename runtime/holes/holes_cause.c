/* SPDX-License-Identifier: ISC */
/*
 * holes_cause.c - the causal order of each model, on graphs with holes.
 *
 * As large as it can be, without a cycle in any consistent execution: all that the model keeps into
 * a read, a barrier or the issue of a write; into the propagation of a write also what only its
 * visibility waits for. A larger one would lose executions, as would one that leaves out an order
 * from what is missing to what is kept.
 */
#include "holes/holes.h"
#include "model/hardware.h"

struct causes {
	const struct holes *h;
	const struct hgraph *g;
	struct hmarks *m;
	enum model_id model;
	bool llsc;
	bool always; /* only orders that do not need the success of a CAS */
	u32 n;	      /* todo[0..n): 2 * event, + 1: propagated */
	u16 todo[3 * HOLES_EVENTS + 2];
};

static void need(struct causes *c, u32 e, bool done)
{
	bool *mark;

	if (!e)
		return;
	done |= !holes_is_write(&c->g->event[e]);
	mark = done ? &c->m->done[e] : &c->m->issued[e];
	if (*mark)
		return;
	*mark = true;
	if (done)
		c->m->issued[e] = true;
	c->todo[c->n++] = (u16)(2 * e + done);
	if (done && holes_is_write(&c->g->event[e]))
		c->todo[c->n++] = (u16)(2 * e);
}

/* --- kinds ------------------------------------------------------------------------------------ */

static bool is_barrier(const struct hevent *e)
{
	return e->flags & E_FULL &&
	       (e->flags & E_SYNC || !(e->flags & (E_READ | E_WRITE | E_FENCE)));
}

static bool is_update(const struct hevent *e)
{
	return e->type == LABEL_RMW || e->type == LABEL_CAS;
}

static bool is_acquire(const struct hevent *e)
{
	return e->flags & E_READ && e->flags & E_ACQUIRE;
}

static bool is_release(const struct hevent *e)
{
	return e->flags & E_WRITE && e->flags & E_RELEASE;
}

static bool is_excl_write(const struct hevent *e)
{
	return (e->flags & (E_WRITE | E_EXCL)) == (E_WRITE | E_EXCL);
}

enum { KIND_READ = 1, KIND_WRITE = 2, KIND_OTHER = 4, KIND_ALL = 7 };

static u32 kind_of(const struct hevent *e)
{
	return holes_is_read(e) ? KIND_READ : holes_is_write(e) ? KIND_WRITE : KIND_OTHER;
}

struct ordered {
	u32 before, after; /* kinds */
};

static struct ordered riscv_fence(const struct hevent *f, u32 op)
{
	bool c = op == FENCE_C;

	if (op == FENCE_FULL || (c && f->flags & E_SC))
		return (struct ordered){KIND_READ | KIND_WRITE, KIND_READ | KIND_WRITE};
	if (op == FENCE_LOADS || (c && f->flags & E_ACQUIRE && !(f->flags & E_RELEASE)))
		return (struct ordered){KIND_READ, KIND_READ | KIND_WRITE};
	if (c && f->flags & E_ACQUIRE) /* fence.tso, and a little more: harmless */
		return (struct ordered){KIND_READ | KIND_WRITE, KIND_READ | KIND_WRITE};
	if (c)
		return (struct ordered){KIND_READ | KIND_WRITE, KIND_WRITE};
	return op == FENCE_STORES  ? (struct ordered){KIND_WRITE, KIND_WRITE}
	       : op == FENCE_READS ? (struct ordered){KIND_READ, KIND_READ}
				   : (struct ordered){0, 0};
}

/* What a fence orders: earlier events of these kinds before it, and it before later ones. */
static struct ordered fence_orders(const struct causes *c, const struct hevent *f)
{
	u32 op = c->h->x->cache.node[f->node].label.op;

	if (is_barrier(f))
		return (struct ordered){KIND_ALL, KIND_ALL};
	if (!(f->flags & E_FENCE))
		return (struct ordered){0, 0};
	if (c->model == MODEL_IMM)
		return (struct ordered){KIND_ALL, KIND_ALL};
	if (op == FENCE_CONTEXT)
		return (struct ordered){0, c->model == MODEL_RISCV ? 0 : KIND_ALL};
	if (c->model == MODEL_RISCV)
		return riscv_fence(f, op);
	if (op == FENCE_FULL ||
		(op == FENCE_C && (c->model == MODEL_POWER || f->flags & E_RELEASE)))
		return (struct ordered){KIND_ALL, KIND_ALL};
	if (c->model == MODEL_POWER)
		return op == FENCE_LIGHT ? (struct ordered){KIND_ALL, KIND_ALL}
					 : (struct ordered){0, 0};
	if (op == FENCE_LOADS || op == FENCE_C)
		return (struct ordered){KIND_READ, KIND_ALL};
	return op == FENCE_STORES ? (struct ordered){KIND_WRITE, KIND_WRITE}
				  : (struct ordered){0, 0};
}

/* --- orders between two accesses -------------------------------------------------------------- */

/* POWER, RISC-V: a barrier in front of the access. */
static bool has_sc_front(const struct hevent *e)
{
	return e->flags & E_SC && e->flags & (E_READ | E_WRITE);
}

static bool has_light_front(const struct hevent *e)
{
	return e->flags & E_RELEASE && (e->flags & E_WRITE || (e->flags & E_READ && is_update(e)));
}

static bool same_place(const struct hevent *a, const struct hevent *b)
{
	return kind_of(a) != KIND_OTHER && kind_of(b) != KIND_OTHER && a->loc == b->loc;
}

/* LDAR, not LDAPR. */
static bool is_ldar(const struct causes *c, const struct hevent *e)
{
	return is_acquire(e) &&
	       (!c->h->x->places->hardware.rcpc || e->type != LABEL_READ || e->flags & E_SC);
}

/* The read of the RMW with write f, a CAS or one of one instruction, is LDAR. */
static bool is_amo_al(const struct causes *c, u32 f)
{
	const struct hevent *w = &c->g->event[f];
	u32 r = is_excl_write(w) ? holes_half(c->g, f) : 0;

	return r && is_release(w) && !c->llsc && is_ldar(c, &c->g->event[r]);
}

static bool arm8_early(const struct causes *c, u32 f, const struct hevent *y)
{
	const struct hevent *x = &c->g->event[f];

	return (holes_is_read(y) && is_ldar(c, y) && is_release(x)) || is_amo_al(c, f);
}

static bool is_annotated(const struct causes *c, const struct hevent *e)
{
	return is_update(e) && kind_of(e) != KIND_OTHER &&
	       (is_acquire(e) || is_release(e) ||
		       (!c->llsc && c->h->x->cache.node[e->node].label.order != __ATOMIC_RELAXED));
}

static bool riscv_early(const struct causes *c, u32 f, const struct hevent *y)
{
	const struct hevent *x = &c->g->event[f];
	bool releases = holes_is_read(y) &&
			((is_update(y) && !c->llsc && y->flags & E_RELEASE) || y->flags & E_SC);
	bool amo = is_excl_write(x) && !c->llsc && is_acquire(&c->g->event[holes_half(c->g, f)]);

	return releases || amo || (is_annotated(c, x) && is_annotated(c, y) && holes_is_read(y));
}

/* The fences that RISC-V has for an access x of C: does one order z, before x, before y? */
static bool riscv_fences(const struct hevent *z, const struct hevent *x, const struct hevent *y)
{
	if (is_update(x) || kind_of(x) == KIND_OTHER ||
		!(x->flags & (E_ACQUIRE | E_RELEASE | E_SC)))
		return false;
	if (x->flags & E_SC && holes_is_read(x))
		return true;
	if (holes_is_write(x))
		return holes_is_write(y);
	return holes_is_read(z);
}

/* --- the causes of one item ------------------------------------------------------------------- */

/* The events of the thread before e, in po order; returns their number. */
static u32 earlier(const struct hgraph *g, u32 e, u16 *before)
{
	u32 n = 0;

	for (u32 f = g->thread[g->event[e].thread].first; f != e; f = g->event[f].next)
		before[n++] = (u16)f;
	return n;
}

/* Into a read: its source, and earlier accesses of the location, the last write included. */
static void causes_of_read(struct causes *c, u32 e, const u16 *before, u32 n)
{
	const struct hevent *y = &c->g->event[e], *w = &c->g->event[y->rf];

	if (y->rf)
		need(c, y->rf,
			w->thread != y->thread || (c->model == MODEL_RISCV && w->flags & E_EXCL));
	while (n--) {
		const struct hevent *x = &c->g->event[before[n]];

		if (!same_place(x, y))
			continue;
		if (holes_is_read(x) ? c->model != MODEL_IMM
				     : y->rf != before[n] && !c->h->no_sources)
			need(c, before[n], true);
		if (!holes_is_write(x))
			continue;
		if (c->model == MODEL_ARM8 && x->flags & E_EXCL && is_acquire(y))
			need(c, holes_half(c->g, before[n]), true);
		return;
	}
}

static void need_all(struct causes *c, const u16 *before, u32 n, bool reads_only)
{
	for (u32 i = 0; i < n; i++)
		if (!reads_only || holes_is_read(&c->g->event[before[i]]))
			need(c, before[i], true);
}

/* Is a read, another event, or the issue of a write after before[i]? Barriers in front of accesses
 * order others, too. */
static bool is_early(struct causes *c, const struct hevent *y, const u16 *before, u32 i)
{
	const struct hevent *x = &c->g->event[before[i]];
	bool after = false;

	switch (c->model) {
	case MODEL_ARM8: after = arm8_early(c, before[i], y); break;
	case MODEL_IMM:
		after = (holes_is_read(x) && is_update(x)) ||
			(x->flags & E_SC && y->flags & E_SC && !holes_is_write(y));
		break;
	case MODEL_RISCV:
		after = riscv_early(c, before[i], y);
		for (u32 k = 0; k < i; k++)
			if (riscv_fences(&c->g->event[before[k]], x, y))
				need(c, before[k], true);
		break;
	default: /* POWER */
		after = same_place(x, y) || (x->flags & E_SC && y->flags & E_SC) ||
			has_sc_front(y) || has_light_front(y);
		if (!is_excl_write(x) && (has_sc_front(x) || has_light_front(x)))
			need_all(c, before, i, false);
	}
	return after || is_acquire(x) || fence_orders(c, x).after & kind_of(y) ||
	       fence_orders(c, y).before & kind_of(x);
}

/* Into the propagation of the write y only. */
static bool is_late(const struct causes *c, const struct hevent *x, const struct hevent *y)
{
	if (is_release(y) || fence_orders(c, x).after & KIND_WRITE)
		return true;
	if (c->model == MODEL_IMM && x->flags & E_SC && y->flags & E_SC)
		return true;
	return same_place(x, y) && (c->model == MODEL_ARM8 || c->model == MODEL_RISCV ||
					   (c->model == MODEL_IMM && is_release(x)));
}

/* The CAS with the write before[i] orders y only if it succeeds. */
static bool needs_success(struct causes *c, const struct hevent *y, const u16 *before, u32 i)
{
	const struct hevent *x = &c->g->event[before[i]];

	return x->type == LABEL_CAS && is_excl_write(x) && i && !c->llsc &&
	       !is_early(c, y, before, i - 1);
}

static void cause_early(struct causes *c, const struct hevent *y, const u16 *before, u32 i)
{
	if (is_early(c, y, before, i) && !(c->always && needs_success(c, y, before, i)))
		need(c, before[i], true);
}

static void causes_of(struct causes *c, u32 e, bool done)
{
	const struct hevent *y = &c->g->event[e];
	u16 before[HOLES_INDICES];
	u32 n = earlier(c->g, e, before);
	bool write = holes_is_write(y), early = !write || !done;
	bool data = !holes_is_read(y) || (y->type != LABEL_CAS && (c->model == MODEL_IMM ||
								  c->model == MODEL_RISCV));

	if (holes_is_read(y))
		causes_of_read(c, e, before, n);
	else if (y->rf)
		need(c, y->rf, true);
	for (u32 i = 0; i < n; i++) {
		u32 k = c->g->event[before[i]].index;

		if (early && (holes_in(y->set[BY_ADDRESS], k) || holes_in(y->set[BY_CONTROL], k) ||
				     holes_in(y->set[HOLES_PASSED], k) ||
				     (data && holes_in(y->set[BY_DATA], k)) ||
				     (write && holes_in(y->set[BY_PICK], k))))
			need(c, before[i], true);
		if (early)
			cause_early(c, y, before, i);
		if (write && done && is_late(c, &c->g->event[before[i]], y))
			need(c, before[i], true);
	}
	if (done && is_excl_write(y)) {
		need(c, holes_half(c->g, e), true);
		need(c, c->g->event[holes_half(c->g, e)].rf, true);
	}
}

void holes_causes(const struct holes *h, struct hmarks *m, u32 e, bool always)
{
	struct causes c = {.h = h,
		.g = h->g,
		.m = m,
		.model = h->x->graph.model->id,
		.llsc = h->x->places->hardware.llsc,
		.always = always};

	c.todo[c.n++] = (u16)(2 * e + 1);
	if (holes_is_write(&h->g->event[e]))
		c.todo[c.n++] = (u16)(2 * e);
	while (c.n) {
		u32 item = c.todo[--c.n];

		causes_of(&c, item / 2, item & 1);
	}
}

void holes_find_late(const struct holes *h, u32 w)
{
	struct causes c = {.h = h, .g = h->g, .model = h->x->graph.model->id};
	struct hevent *y = &h->g->event[w];
	u16 before[HOLES_INDICES];
	u32 n = earlier(h->g, w, before);

	__builtin_memset(y->late, 0, sizeof y->late);
	for (u32 i = 0; i < n; i++)
		if (is_late(&c, &h->g->event[before[i]], y) || (is_excl_write(y) && i == n - 1))
			holes_add_element(y->late, h->g->event[before[i]].index);
}

bool holes_lacks_late(const struct hgraph *g, u32 w)
{
	const struct hevent *y = &g->event[w];
	u64 there[HOLES_WORDS] = {0}, missing = 0;

	for (u32 e = g->thread[y->thread].first; e != w; e = g->event[e].next)
		if (g->event[e].done)
			holes_add_element(there, g->event[e].index);
	for (u32 i = 0; i < HOLES_WORDS; i++)
		missing |= y->late[i] & ~there[i];
	return missing;
}

bool holes_success_orders(const struct holes *h)
{
	enum model_id m = h->x->graph.model->id;

	return (m == MODEL_ARM8 || m == MODEL_RISCV) && !h->x->places->hardware.llsc;
}

bool holes_orders_success(const struct holes *h, const struct hevent *r, const struct hevent *y)
{
	struct causes c = {.h = h, .model = h->x->graph.model->id};
	u32 before;

	if (!holes_success_orders(h) || r->type != LABEL_CAS || !holes_is_read(r) || is_acquire(r))
		return false;
	for (u32 k = 0; k < HOLES_SETS; k++)
		if (k != BY_DATA && k != BY_PICK && holes_in(y->set[k], r->index))
			return false;
	before = fence_orders(&c, y).before;
	if (before & KIND_WRITE && !(before & KIND_READ))
		return true;
	return c.model == MODEL_ARM8 && holes_is_read(y) && is_ldar(&c, y) &&
	       order_releases(holes_label_of(h, r)->order);
}

bool holes_must_fail(
	const struct holes *h, const struct hgraph *g, u32 r, const struct hmarks *kept)
{
	for (u32 y = h->fails ? g->event[r].next : 0; y; y = g->event[y].next)
		if ((!kept || kept->issued[y]) &&
			holes_orders_success(h, &g->event[r], &g->event[y]))
			return true;
	return false;
}
