/* SPDX-License-Identifier: ISC */
/*
 * arm8.c - ARMv8 (AArch64): reads-from between threads, coherence, from-read and the order that a
 * thread keeps have no cycle. Multi-copy atomic.
 *
 * Pulte, Flur, Deacon, French, Sarkar, Sewell, "Simplifying ARM concurrency", POPL 2018, as Arm's
 * own definition has been since (Deacon, Alglave: aarch64.cat of herdtools7). What a thread keeps:
 *
 *     addr | data | ctrl;[W] | (ctrl | addr;po);[ISB];po;[R] | addr;po;[W] | (addr | data);lrs
 *     rmw | rmw;lrs;[A|Q] | po;[DMB];po | [R\N];po;[DMB LD];po | [W];po;[DMB ST];po;[W]
 *     [A|Q];po | po;[L] | [L];po;[A] | [range([A];amo;[L])];po | po-loc;[W]
 *
 * A: LDAR, and reads of acquire RMWs; Q: LDAPR; L: STLR, and writes of release RMWs; N: reads of
 * RMWs without a result, as STADD; lrs: from a write to a later read of its location, none in
 * between; amo: an RMW of one instruction.
 */
#include "model/hardware/hardware.h"

/* A or Q */
static bool acquires(const struct gevent *x)
{
	return x->flags & E_READ && x->flags & E_ACQUIRE;
}

static bool is_a(const struct po_scan *s, const struct gevent *x)
{
	return acquires(x) && (!s->g->places->hardware.rcpc || x->type != LABEL_READ ||
				      x->flags & E_SC);
}

static bool is_l(const struct gevent *x)
{
	return x->flags & E_WRITE && x->flags & E_RELEASE;
}

static bool is_dmb(const struct gevent *x)
{
	return event_is_barrier(x) || event_is_fence(x, FENCE_FULL) ||
	       (event_is_fence(x, FENCE_C) && x->flags & E_RELEASE);
}

static bool is_dmb_ld(const struct gevent *x)
{
	return event_is_fence(x, FENCE_LOADS) ||
	       (event_is_fence(x, FENCE_C) && !(x->flags & E_RELEASE));
}

/* The write of an RMW of one instruction that is both A and L. */
static bool is_amo_al(const struct po_scan *s, const struct gevent *w)
{
	return !s->g->places->hardware.llsc && w->flags & E_EXCL && is_l(w) &&
	       is_a(s, &s->g->event[w->po_prev]);
}

/* Is a later read, A or Q, a read of the value that the RMW with this read has written? */
static bool reads_own_rmw(const struct po_scan *s)
{
	return s->x->flags & E_EXCL && s->x->flags & E_READ && acquires(s->y) &&
	       scan_written(s) == s->x->po_next;
}

/* The order from a barrier, which is not an access but a step of each order that contains it. */
static bool barrier_orders(const struct gevent *x, const struct gevent *y)
{
	if (event_is_barrier(y))
		return event_is_barrier(x);
	if (event_is_fence(x, FENCE_CONTEXT))
		return y->flags & E_READ;
	if (event_is_fence(x, FENCE_STORES))
		return y->flags & E_WRITE;
	return (is_dmb(x) || is_dmb_ld(x)) && y->flags & (E_READ | E_WRITE);
}

static bool orders_barrier(const struct po_scan *s)
{
	const struct gevent *x = s->x, *y = s->y;

	if (event_is_fence(y, FENCE_CONTEXT))
		return s->control || s->address;
	return is_dmb(y) || (is_dmb_ld(y) && x->flags & E_READ && !(x->flags & E_NO_RESULT)) ||
	       (event_is_fence(y, FENCE_STORES) && x->flags & E_WRITE);
}

/* The order between two accesses. */
static bool arm8_orders(const struct po_scan *s)
{
	const struct gevent *x = s->x, *y = s->y;

	if (acquires(x) || is_l(y) || (is_l(x) && is_a(s, y)) || is_amo_al(s, x))
		return true;
	if (y->flags & E_WRITE &&
		(x->loc == y->loc || scan_controls(s) || s->address || scan_depends(s, BY_DATA)))
		return true;
	return scan_depends(s, BY_ADDRESS) || scan_forwards(s) || reads_own_rmw(s);
}

static void arm8_keeps(struct acyclic_walk *w, u32 e)
{
	struct po_scan s = scan_begin(w->g, e);

	if (event_is_aside(s.x))
		return;
	while (scan_next(&s)) {
		bool after = !event_is_access(s.x)   ? barrier_orders(s.x, s.y)
			     : !event_is_access(s.y) || event_is_barrier(s.y) ? orders_barrier(&s)
						     : arm8_orders(&s);

		if (event_is_barrier(s.x) || after)
			walk_visit(w, (u32)(s.y - w->g->event));
		if (event_is_barrier(s.y))
			return; /* orders later events */
	}
}

static bool arm8_consistent(struct graph *g, u32 e, u32 r)
{
	if (hardware_is_sc(g, e, r))
		return true;
	return !walk_returns(g, e, WALK_FR, arm8_keeps) &&
	       !(r && walk_returns(g, r, WALK_FR, arm8_keeps));
}

static bool arm8_keeps_after(struct graph *g, u32 a, u32 b)
{
	return walk_keeps(g, a, b, arm8_keeps);
}

static const u8 arm8_fences[MODEL_FENCES] = {
	[HEDDLE_FENCE_FULL] = FENCE_FULL,
	[HEDDLE_FENCE_LOADS] = FENCE_LOADS,
	[HEDDLE_FENCE_STORES] = FENCE_STORES,
	[HEDDLE_FENCE_CONTEXT] = FENCE_CONTEXT,
	[HEDDLE_FENCE_READS] = FENCE_LOADS,
};

/* All fences but acquire are the full DMB. */
static const struct model_costs arm8_costs = {
	.order = {0, 1, 1, 1, 2, 2},
	.fence = {0, 2, 2, 4, 4, 4},
};

const struct model model_arm8 = {
	.id = MODEL_ARM8,
	.has_orders = true,
	.has_clocks = true,
	.includes = 1 << MODEL_SC,
	.consistent = arm8_consistent,
	.fences = arm8_fences,
	.keeps = arm8_keeps_after,
	.is_multicopy_atomic = true,
	.keeps_addresses = true,
	.has_no_result = true,
	.cas_picks = true,
	.costs = &arm8_costs,
	.language = "AArch64",
};
