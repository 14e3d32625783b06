/* SPDX-License-Identifier: ISC */
/*
 * holes_order.h - the causal order of each model: the orders kept by its instructions and fences.
 *
 * A row for each model; holes_cause.c has the rest, which is common to all of them. A model in a
 * file names its row (cat/map.h); there the orders of its events, which only the file has, are
 * those of the row's model: hevent.how.
 */
#ifndef HOLES_HOLES_ORDER_H
#define HOLES_HOLES_ORDER_H

#include "holes/holes.h"

struct causes {
	const struct holes *h;
	const struct hgraph *g;
	struct hmarks *m;
	const struct holes_order *order;
	bool llsc;
	bool passes; /* holes.passes */
	bool always; /* only orders that do not need the success of a CAS */
	u32 n;	      /* todo[0..n): 2 * event, + 1: propagated */
	u16 todo[3 * HOLES_EVENTS + 2];
};

enum {
	KIND_RETURNS = 1,
	KIND_WRITE = 2,
	KIND_OTHER = 4,
	KIND_NO_RESULT = 8, /* a read of an instruction without a result */
	KIND_READ = KIND_RETURNS | KIND_NO_RESULT,
	KIND_ALL = 15,
	KIND_PLAIN = 16 /* an access that is ordered by no fence */
};

/* The orders of a fence: after earlier events of some kinds, and before later ones. */
struct ordered {
	u32 before, after;
};

struct holes_order {
	/* The orders of a fence of C, or of an instruction of the processor (`op': enum
	 * fence_kind). */
	struct ordered (*fence)(const struct hevent *f, u32 op);
	/* Is y, a read, another event, or the issue of a write, after before[i], an earlier event
	 * of its thread? Where barriers in front of accesses order others: causes_need() these. */
	bool (*early)(struct causes *c, const struct hevent *y, const u16 *before, u32 i);
	/* Is the propagation of the write y after the earlier event x? */
	bool (*late)(const struct hevent *x, const struct hevent *y);
	bool reads;	/* a read is after earlier reads of its location */
	bool own_excl;	/* a read of an RMW's write by its own thread is after the propagation */
	bool excl_read; /* an acquire load is after the read of its thread's RMW before it */
	bool rmw_data;	/* the read of an RMW is after the sources of its operand */
	bool has_amo;	/* an RMW may be one instruction: without --arch-rmw=llsc */
	bool has_ldar;	/* an acquire load may be after earlier release stores */
	bool has_plain; /* plain accesses are KIND_PLAIN */
	bool may_pass;	/* a store may come before an access whose address depends on a load */
};

/* The row of the graph's model. */
const struct holes_order *order_of_model(const struct holes *h);

/* The event e (done: its propagation) is a cause. */
void causes_need(struct causes *c, u32 e, bool done);

static inline u32 holes_kind(const struct hevent *e)
{
	if (e->how & E_PLAIN)
		return KIND_PLAIN;
	if (holes_is_read(e))
		return e->how & E_NO_RESULT ? KIND_NO_RESULT : KIND_RETURNS;
	return holes_is_write(e) ? KIND_WRITE : KIND_OTHER;
}

static inline bool is_acquire(const struct hevent *e)
{
	return e->flags & E_READ && e->how & E_ACQUIRE;
}

static inline bool holes_is_release(const struct hevent *e)
{
	return e->flags & E_WRITE && e->how & E_RELEASE;
}

static inline bool holes_is_excl_write(const struct hevent *e)
{
	return (e->flags & (E_WRITE | E_EXCL)) == (E_WRITE | E_EXCL);
}

static inline bool holes_same_place(const struct hevent *a, const struct hevent *b)
{
	return holes_kind(a) != KIND_OTHER && holes_kind(b) != KIND_OTHER && a->loc == b->loc;
}

/* LDAR, not LDAPR. */
static inline bool is_ldar(const struct causes *c, const struct hevent *e)
{
	return is_acquire(e) &&
	       (!c->h->x->places->hardware.rcpc || e->type != LABEL_READ || e->how & E_SC);
}

#endif
