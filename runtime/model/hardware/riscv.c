/* SPDX-License-Identifier: ISC */
/*
 * riscv.c - RISC-V's weak memory ordering: reads-from between threads, coherence, from-read and the
 * preserved program order have no cycle. Multi-copy atomic.
 *
 * The RISC-V instruction set manual, volume 1, chapter on RVWMO, and riscv.cat of herdtools7:
 *
 *     po-loc;[W] | two reads of a location with other sources, no write in between
 *     reads-from inside a thread, of an RMW | fences | [aq];po | po;[rl] | two annotated RMWs
 *     addr | data | ctrl;[W] | (addr | data);[W];rfi | addr;po;[W] | the halves of an RMW
 *
 * An AMO has its aq and rl on both halves, LR has aq and SC has rl; what an AMO's operand depends
 * on comes before its read, too. Loads and stores of C have fences in place of aq and rl
 * (hardware.h).
 */
#include "model/hardware/hardware.h"

static bool is_amo(const struct po_scan *s, const struct gevent *x)
{
	return event_is_rmw(x) && !s->g->places->hardware.llsc;
}

static bool is_aq(const struct po_scan *s, const struct gevent *x)
{
	if (x->flags & E_WRITE)
		return x->flags & E_EXCL && is_amo(s, x) &&
		       s->g->event[x->po_prev].flags & E_ACQUIRE;
	return x->flags & E_READ && x->flags & E_ACQUIRE;
}

static bool is_rl(const struct po_scan *s, const struct gevent *x)
{
	return x->flags & E_RELEASE && (x->flags & E_WRITE || is_amo(s, x));
}

static bool is_annotated(const struct po_scan *s, const struct gevent *x)
{
	return event_is_rmw(x) && (is_aq(s, x) || is_rl(s, x));
}

/* The events that later fences order behind x. */
struct fenced {
	bool reads, writes;
};

static void pass_fence(const struct po_scan *s, struct fenced *f)
{
	u16 flags = s->y->flags;
	bool read = s->x->flags & E_READ, c = event_is_fence(s->y, FENCE_C);
	bool full = event_is_fence(s->y, FENCE_FULL) || (c && flags & E_SC);
	bool loads = event_is_fence(s->y, FENCE_LOADS) || (c && flags & E_ACQUIRE);

	f->reads |= full || (read && (loads || event_is_fence(s->y, FENCE_READS)));
	f->writes |= full || (loads && read) || (c && flags & E_RELEASE) ||
		     (event_is_fence(s->y, FENCE_STORES) && !read);
}

/* The fence in front of a load or store of C. */
static void pass_front(const struct po_scan *s, struct fenced *f)
{
	const struct gevent *y = s->y;

	if (event_is_rmw(y))
		return;
	f->reads |= y->flags & E_READ && y->flags & E_SC;
	f->writes |= (y->flags & E_READ && y->flags & E_SC) ||
		     (y->flags & E_WRITE && y->flags & E_RELEASE);
}

/* The fence behind an acquire load. */
static void pass_back(const struct po_scan *s, struct fenced *f)
{
	const struct gevent *y = s->y;

	if (!event_is_rmw(y) && s->x->flags & E_READ && y->flags & E_READ && y->flags & E_ACQUIRE)
		f->reads = f->writes = true;
}

static bool riscv_orders(const struct po_scan *s)
{
	const struct gevent *x = s->x, *y = s->y;

	if (is_aq(s, x) || is_rl(s, y) || (is_annotated(s, x) && is_annotated(s, y)))
		return true;
	if (scan_depends(s, BY_ADDRESS) || scan_depends(s, BY_DATA) || scan_forwards(s))
		return true;
	if (y->flags & E_WRITE)
		return x->loc == y->loc || scan_controls(s) || s->address;
	if (x->loc != y->loc)
		return false;
	if (x->flags & E_WRITE)
		return x->flags & E_EXCL && &s->g->event[y->rf] == x;
	return x->rf != y->rf && !scan_written(s);
}

static void riscv_keeps(struct acyclic_walk *w, u32 e)
{
	struct po_scan s = scan_begin(w->g, e);
	struct fenced f = {.reads = event_is_barrier(s.x), .writes = event_is_barrier(s.x)};

	if (event_is_aside(s.x) || s.x->flags & E_FENCE)
		return;
	while (scan_next(&s)) {
		if (event_is_barrier(s.y)) {
			walk_visit(w, (u32)(s.y - w->g->event));
			return; /* orders later events */
		}
		if (s.y->flags & E_FENCE) {
			pass_fence(&s, &f);
			continue;
		}
		if (!event_is_access(s.y))
			continue;
		pass_front(&s, &f);
		if ((s.y->flags & E_READ ? f.reads : f.writes) ||
			(event_is_access(s.x) && riscv_orders(&s)))
			walk_visit(w, (u32)(s.y - w->g->event));
		pass_back(&s, &f);
	}
}

static bool riscv_consistent(struct graph *g, u32 e, u32 r)
{
	if (hardware_is_sc(g, e, r))
		return true;
	return !walk_returns(g, e, WALK_FR, riscv_keeps) &&
	       !(r && walk_returns(g, r, WALK_FR, riscv_keeps));
}

static bool riscv_keeps_after(struct graph *g, u32 a, u32 b)
{
	return walk_keeps(g, a, b, riscv_keeps);
}

static const u8 riscv_fences[MODEL_FENCES] = {
	[HEDDLE_FENCE_FULL] = FENCE_FULL,
	[HEDDLE_FENCE_LOADS] = FENCE_LOADS,
	[HEDDLE_FENCE_STORES] = FENCE_STORES,
	[HEDDLE_FENCE_READS] = FENCE_READS,
};

static const struct model_costs riscv_costs = {
	.order = {0, 2, 2, 2, 4, 6},
	.fence = {0, 2, 2, 2, 3, 4},
};

const struct model model_riscv = {
	.id = MODEL_RISCV,
	.has_orders = true,
	.has_clocks = true,
	.includes = 1 << MODEL_SC,
	.consistent = riscv_consistent,
	.fences = riscv_fences,
	.keeps = riscv_keeps_after,
	.is_multicopy_atomic = true,
	.keeps_addresses = true,
	.costs = &riscv_costs,
	.language = "RISCV",
};
