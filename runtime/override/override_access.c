/* SPDX-License-Identifier: ISC */
/*
 * override_access.c - accesses and fences with overridden orders and additional fences: the
 * engine's decorator while there are overrides or sites to collect (override.h).
 *
 * A virtual fence is a separate step, like one in the source, directly before or after the access.
 * The fence before may let other threads run, which change machine_frame and machine_site, so these
 * are restored.
 */
#include "machine/core.h"
#include "override/override.h"

/* --- orders ---------------------------------------------------------------------------------- */

static void note_site(
	struct override *s, enum site_kind kind, u32 size, int order, int fail, u16 flags)
{
	if (!s->seen) {
		s->kind = (u8)kind;
		s->order = (u8)(order & HEDDLE_ORDER_MASK);
		s->fail = (u8)(fail & HEDDLE_ORDER_MASK);
		s->size = size;
		s->flags |= flags & EVENT_PLAIN ? SITE_PLAIN : 0;
		s->flags |= order & HEDDLE_VOLATILE ? SITE_VOLATILE : 0;
		s->flags |= order & HEDDLE_ASM ? SITE_ASM : 0;
		s->seen = true;
	}
	if (M.engine->begun())
		s->flags |= SITE_SHARED;
}

/* The part of a memory order that applies to an operation that reads, writes, or does both. */
static int load_order(int order)
{
	return order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED
	       : order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order;
}

static int store_part(int order)
{
	return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME ? __ATOMIC_RELAXED
	       : order == __ATOMIC_ACQ_REL ? __ATOMIC_RELEASE : order;
}

static int c11_order(u8 order)
{
	return order == ORDER_NONE ? __ATOMIC_RELAXED : order - ORDER_C11;
}

/* The effective order, with the other flags of `order`. */
static int in_force(const struct override *s, int order)
{
	return s->orders.order == ORDER_SAME
		       ? order
		       : (order & ~HEDDLE_ORDER_MASK) | c11_order(s->orders.order);
}

static int with_part(int (*part)(int), int order)
{
	return (order & ~HEDDLE_ORDER_MASK) | part(order & HEDDLE_ORDER_MASK);
}

/* Both orders of a compare and exchange; the one for failure is never stronger than `order=`. */
static int in_force_cas(const struct override *s, int orders)
{
	int success = in_force(s, orders), most = load_order(success & HEDDLE_ORDER_MASK);
	int fail = orders >> 8 & HEDDLE_ORDER_MASK;

	if (s->orders.fail != ORDER_SAME)
		fail = load_order(c11_order(s->orders.fail));
	else if (s->orders.order != ORDER_SAME && fail > most)
		fail = most;
	return (success & ~(HEDDLE_ORDER_MASK << 8)) | fail << 8;
}

/* A plain access with an override becomes an atomic one. */
static u16 flags_in_force(const struct override *s, u16 flags)
{
	return s->orders.order >= ORDER_C11 ? flags & (u16)~EVENT_PLAIN : flags;
}

static const struct engine *next_engine(void)
{
	return override_decorator.next;
}

/* --- virtual fences -------------------------------------------------------------------------- */

static void fence_before(const struct override *s)
{
	struct entry_frame *frame = machine_frame;
	u64 site = machine_site;

	if (s->orders.before == ORDER_SAME)
		return;
	M.cur->pending.part = PENDING_BEFORE;
	next_engine()->fence(c11_order(s->orders.before) | ACCESS_VIRTUAL);
	M.cur->pending.part = PENDING_ACCESS;
	machine_frame = frame;
	machine_site = site;
}

/* result: the value read; ok: a compare and exchange has succeeded. */
static void fence_after(const struct override *s, const u64 *result, bool ok)
{
	struct pending *p = &M.cur->pending;

	if (s->orders.after != ORDER_SAME) {
		p->part = PENDING_AFTER;
		p->value[0] = result ? result[0] : 0;
		p->value[1] = result && p->size > 8 ? result[1] : 0;
		p->value[2] = ok;
		next_engine()->fence(c11_order(s->orders.after) | ACCESS_VIRTUAL);
	}
	machine_returns();
}

/* --- accesses -------------------------------------------------------------------------------- */

static void site_load(const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	struct override *s = override_at(machine_frame->return_address);

	if (!s) {
		next_engine()->load(p, size, order, flags, out);
		return;
	}
	note_site(s, SITE_LOAD, size, order, 0, flags);
	fence_before(s);
	next_engine()->load(
		p, size, with_part(load_order, in_force(s, order)), flags_in_force(s, flags), out);
	fence_after(s, out, true);
}

static void site_store(void *p, u32 size, const u64 value[2], int order, u16 flags)
{
	struct override *s = override_at(machine_site);

	if (!s) {
		next_engine()->store(p, size, value, order, flags);
		return;
	}
	note_site(s, SITE_STORE, size, order, 0, flags);
	fence_before(s);
	next_engine()->store(p, size, value, with_part(store_part, in_force(s, order)),
		flags_in_force(s, flags));
	fence_after(s, NULL, true);
}

static void site_rmw(void *p, u32 size, u64 value[2], int op, int order)
{
	struct override *s = override_at(machine_frame->return_address);

	if (!s) {
		next_engine()->rmw(p, size, value, op, order);
		return;
	}
	note_site(s, SITE_RMW, size, order, 0, 0);
	fence_before(s);
	next_engine()->rmw(p, size, value, op, in_force(s, order));
	fence_after(s, value, true);
}

static bool site_cas(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	struct override *s = override_at(machine_frame->return_address);
	bool ok;

	if (!s)
		return next_engine()->cas(p, size, expected, desired, orders);
	note_site(s, SITE_CAS, size, orders, orders >> 8, 0);
	fence_before(s);
	ok = next_engine()->cas(p, size, expected, desired, in_force_cas(s, orders));
	fence_after(s, expected, ok);
	return ok;
}

static void site_fence(int order)
{
	struct override *s = override_at(machine_site);

	if (!s) {
		next_engine()->fence(order);
		return;
	}
	note_site(s, SITE_FENCE, 0, order, 0, 0);
	fence_before(s);
	if (s->orders.order != ORDER_NONE)
		next_engine()->fence(
			in_force(s, order) | (s->orders.order >= ORDER_C11 ? ACCESS_EVENT : 0));
	fence_after(s, NULL, true);
}

static void dress_override(struct engine *e)
{
	e->load = site_load;
	e->store = site_store;
	e->rmw = site_rmw;
	e->cas = site_cas;
	e->fence = site_fence;
}

struct decorator override_decorator = {.dress = dress_override};

/* --- ranges ---------------------------------------------------------------------------------- */

void override_before_range(u64 code, enum site_kind kind, size_t n)
{
	struct override *s = override_at(code);

	machine_site = code;
	if (!s)
		return;
	note_site(s, kind, n < UINT32_MAX ? (u32)n : UINT32_MAX, 0, 0, EVENT_PLAIN);
	fence_before(s);
}

void override_after_range(u64 code)
{
	struct override *s = override_at(code);

	if (s)
		fence_after(s, NULL, true);
}
