/* SPDX-License-Identifier: ISC */
/* kind.c - see kind.h. */
#include "kater/kind.h"

#include <stdio.h>
#include <string.h>

#include "model/hardware/hardware.h"

#define RLX __ATOMIC_RELAXED
#define ACQ __ATOMIC_ACQUIRE
#define REL __ATOMIC_RELEASE
#define AR  __ATOMIC_ACQ_REL
#define SC  __ATOMIC_SEQ_CST

/* The simplest first: examples have them. */
const struct kind kind_table[KIND_VIRTUAL] = {
	{KIND_LOAD, RLX},
	{KIND_STORE, RLX},
	{KIND_LOAD, ACQ},
	{KIND_STORE, REL},
	{KIND_LOAD, SC},
	{KIND_STORE, SC},
	{KIND_LOAD, MAP_PLAIN},
	{KIND_STORE, MAP_PLAIN},
	{KIND_FENCE, ACQ},
	{KIND_FENCE, REL},
	{KIND_FENCE, AR},
	{KIND_FENCE, SC},
	{KIND_RMW_READ, RLX},
	{KIND_RMW_READ, ACQ},
	{KIND_RMW_READ, REL},
	{KIND_RMW_READ, AR},
	{KIND_RMW_READ, SC},
	{KIND_RMW_WRITE, RLX},
	{KIND_RMW_WRITE, ACQ},
	{KIND_RMW_WRITE, REL},
	{KIND_RMW_WRITE, AR},
	{KIND_RMW_WRITE, SC},
	{KIND_FAILED, RLX, RLX},
	{KIND_FAILED, ACQ, RLX},
	{KIND_FAILED, ACQ, ACQ},
	{KIND_FAILED, REL, RLX},
	{KIND_FAILED, AR, RLX},
	{KIND_FAILED, AR, ACQ},
	{KIND_FAILED, SC, RLX},
	{KIND_FAILED, SC, ACQ},
	{KIND_FAILED, SC, SC},
	{KIND_BARRIER, FENCE_FULL},
	{KIND_BARRIER, FENCE_LOADS},
	{KIND_BARRIER, FENCE_STORES},
	{KIND_BARRIER, FENCE_LIGHT},
	{KIND_BARRIER, FENCE_CONTEXT},
	{KIND_BARRIER, FENCE_READS},
	{KIND_SYNC_READ, RLX},
	{KIND_SYNC_READ, ACQ},
	{KIND_SYNC_READ, SC},
	{KIND_SYNC_WRITE, RLX},
	{KIND_SYNC_WRITE, REL},
	{KIND_SYNC_WRITE, SC},
	{KIND_SYNC_RMW_READ, RLX},
	{KIND_SYNC_RMW_READ, ACQ},
	{KIND_SYNC_RMW_READ, SC},
	{KIND_SYNC_RMW_WRITE, RLX},
	{KIND_SYNC_RMW_WRITE, REL},
	{KIND_SYNC_RMW_WRITE, SC},
};

kinds kinds_of(u32 ops)
{
	kinds all = 0;

	for (u32 i = 0; i < KIND_VIRTUAL; i++)
		if (ops >> kind_table[i].op & 1)
			all |= 1ull << i;
	return all;
}

static u32 kind_find(u32 op, u32 order)
{
	u32 i = 0;

	while (i < KIND_VIRTUAL && (kind_table[i].op != op || kind_table[i].order != order))
		i++;
	return i;
}

u32 kind_partner(u32 kind)
{
	const struct kind *k = &kind_table[kind];

	return k->op == KIND_RMW_READ	 ? kind_find(KIND_RMW_WRITE, k->order)
	       : k->op == KIND_RMW_WRITE ? kind_find(KIND_RMW_READ, k->order)
					 : KIND_VIRTUAL;
}

/* --- tags ------------------------------------------------------------------------------------- */

#define TAG(name) (1ull << MAP_##name)

static bool kind_reads(const struct kind *k)
{
	return KINDS_READS >> k->op & 1;
}

static bool kind_syncs(const struct kind *k)
{
	return KINDS_SYNC >> k->op & 1;
}

/* The order of a half. */
static u32 half_order(const struct kind *k)
{
	u32 order = k->op == KIND_FAILED ? k->fail : k->order;

	if (kind_reads(k))
		return order == AR ? ACQ : order == REL ? RLX : order;
	return order == AR ? REL : order == ACQ ? RLX : order;
}

static void join_other(struct decoration *d, const struct decoration *other)
{
	d->tags |= other->tags;
	d->before |= other->before;
	d->after |= other->after;
}

static struct decoration of_instruction(const struct cat_map *m, const struct kind *k)
{
	return map_rmw(m, k->order, k->op == KIND_FAILED ? k->fail : k->order,
		kind_reads(k) ? MAP_LOAD : MAP_STORE);
}

static struct decoration fence_decoration(const struct cat_map *m, const struct kind *k)
{
	static const u8 orders[FENCE_KINDS] = {
		[FENCE_FULL] = SC, [FENCE_LOADS] = ACQ, [FENCE_STORES] = REL, [FENCE_LIGHT] = AR};
	u32 i = k->op == KIND_FENCE ? k->order
		: m->instructions   ? MAP_ORDERS + k->order - 1u
				    : orders[k->order];
	struct decoration d = m->of[MAP_FENCE][i];

	d.tags |= TAG(F);
	return d;
}

struct decoration kind_decoration(const struct cat_map *m, u32 kind)
{
	const struct kind *k = &kind_table[kind];
	bool halves = k->op == KIND_RMW_READ || k->op == KIND_RMW_WRITE,
	     rmw = halves || k->op == KIND_FAILED,
	     excl = halves || k->op == KIND_SYNC_RMW_READ || k->op == KIND_SYNC_RMW_WRITE;
	struct decoration d;

	if (KINDS_FENCES >> k->op & 1)
		return fence_decoration(m, k);
	d = m->instructions && rmw ? of_instruction(m, k)
				   : m->of[kind_reads(k) ? MAP_LOAD : MAP_STORE][half_order(k)];
	d.tags |= kind_reads(k) ? TAG(R) : TAG(W);
	if (rmw || excl) {
		join_other(&d, &m->rmw);
		d.tags |= TAG(RMW);
	}
	if (kind_syncs(k)) {
		join_other(&d, &m->sync);
		d.tags |= TAG(SYNC);
	} else if (half_order(k) == MAP_PLAIN) {
		d.tags |= TAG(NA);
	}
	/* Fences do not come between the halves. */
	if (excl)
		*(kind_reads(k) ? &d.after : &d.before) = 0;
	return d;
}

/* The virtual kind with these tags; 64: there is no room. */
static u32 virtual_kind(struct kind_view *v, u64 tags)
{
	u32 i = KIND_VIRTUAL;

	while (i < KIND_VIRTUAL + v->nvirtual && v->tags[i] != tags)
		i++;
	if (i < 64 && i == KIND_VIRTUAL + v->nvirtual) {
		v->tags[i] = tags;
		v->nvirtual++;
	}
	return i;
}

bool kind_view(struct kind_view *v, const struct cat_map *m)
{
	memset(v, 0, sizeof(*v));
	v->map = m;
	for (u32 i = 0; i < KIND_VIRTUAL; i++) {
		struct decoration d = kind_decoration(m, i);
		u32 before = d.before ? virtual_kind(v, d.before | TAG(F)) : KIND_VIRTUAL,
		    after = d.after ? virtual_kind(v, d.after | TAG(F)) : KIND_VIRTUAL;

		if (before == 64 || after == 64)
			return false;
		v->tags[i] = d.tags;
		if (d.before)
			v->before[before] |= 1ull << i;
		if (d.after)
			v->after[after] |= 1ull << i;
	}
	return true;
}

kinds kind_tagged(const struct kind_view *v, u32 tag)
{
	kinds all = 0;

	for (u32 i = 0; i < KIND_VIRTUAL + v->nvirtual; i++)
		if (v->tags[i] >> tag & 1)
			all |= 1ull << i;
	return all;
}

/* --- names ------------------------------------------------------------------------------------ */

const char *kinds_name(u32 kind)
{
	static char text[4][40];
	static u32 turn;
	static const char *const ops[] = {"R", "W", "R", "W", "R", "F", "F", "R", "W", "R", "W"},
				 *const notes[] = {"", "", " rmw", " rmw", " cas fails", "", "",
					 " sync", " sync", " sync rmw", " sync rmw"},
				 *const orders[] = {"rlx", "na", "acq", "rel", "acq_rel", "sc"},
				 *const barriers[] = {"", "full", "loads", "stores", "light",
					 "context", "reads"};
	const struct kind *k = &kind_table[kind];
	char *to = text[turn++ % 4];

	snprintf(to, sizeof text[0], "%s %s%s", ops[k->op],
		k->op == KIND_BARRIER ? barriers[k->order]
				      : orders[k->op == KIND_FAILED ? k->fail : k->order],
		notes[k->op]);
	return to;
}
