/* SPDX-License-Identifier: ISC */
/* execute_memory.c - real memory and locations while a graph is followed. See execute.h. */
#include "graph/execute_priv.h"
#include "graph/sharing.h"
#include "heap/fresh.h"
#include "process/fiber.h"
#include "process/module.h"

/* --- real memory ----------------------------------------------------------------------------- */

static u64 passed_write_key(const struct gevent *e)
{
	return (u64)X.run << 32 | (u64)e->thread << 16 | e->index;
}

/* The write that real memory holds at loc, 0 = none of this execution. */
u32 execute_held_write(u32 loc)
{
	u64 w = X.written[loc];

	return w >> 32 == X.run ? X.map[w >> 16 & 0xffff][w & 0xffff] : 0;
}

static bool is_passed_before(u32 a, u32 b)
{
	for (u32 w = X.g->event[b].co_prev; w; w = X.g->event[w].co_prev)
		if (w == a)
			return true;
	return false;
}

void execute_unpack(u32 size, u64 value, u64 v[2])
{
	v[0] = value;
	v[1] = 0;
	if (size == 16) {
		u128 w = wide_value(X.places, value);

		v[0] = (u64)w;
		v[1] = (u64)(w >> 64);
	}
}

u64 execute_pack(u32 size, const u64 v[2])
{
	if (size == 16)
		return wide_intern(X.places, v[0], v[1]);
	return size < 8 ? v[0] & ((1ull << (8 * size)) - 1) : v[0];
}

void execute_initial(u32 loc, u32 size, u64 v[2])
{
	v[0] = v[1] = 0;
	execute_unpack(size, X.places->place[loc].init, v);
}

void execute_write(u32 id)
{
	const struct gevent *e = &X.g->event[id];
	const struct place *p = &X.places->place[e->loc];
	u32 before = execute_held_write(e->loc);
	u64 v[2];

	if (!p->size || (before && is_passed_before(id, before)))
		return;
	execute_unpack(p->size, e->value, v);
	memory_write(p->addr, p->size, v);
	X.written[e->loc] = passed_write_key(e);
}

bool execute_is_fresh(u32 loc)
{
	u64 addr = X.places->place[loc].addr, size = X.places->place[loc].size, v[2];

	if (execute_held_write(loc))
		return true;
	memory_read(addr, (u32)size, v);
	return fresh_has(addr, v, (1u << size) - 1);
}

bool execute_is_piece(const struct label *l, u32 loc)
{
	u16 piece[PIECES_MAX];
	u32 n = place_pieces(X.places, l->loc, piece);

	while (n && piece[n - 1] != loc)
		n--;
	return n;
}

/* --- locations ------------------------------------------------------------------------------- */

/* Note the thread whose stack the location is on, except for objects. */
static void note_stack_owner(u32 loc)
{
	struct place *p = &X.places->place[loc];

	if (!p->size || p->addr - FIBER_STACKS >= (u64)THREADS_MAX * FIBER_STACK_STRIDE)
		return;
	p->stack = (u16)((p->addr - FIBER_STACKS) / FIBER_STACK_STRIDE + 1);
	X.places->stacks |= p->stack != 1; /* main's lasts as long as the process */
}

static u32 intern_place(u64 addr, u32 size, u64 init)
{
	u32 loc = place_intern(X.places, addr, size, init);

	if (!loc)
		execute_unsupported("limit: more than %u locations", PLACES_MAX);
	note_stack_owner(loc);
	return loc;
}

u32 execute_object(const void *obj, u64 (*state)(const void *obj))
{
	u64 addr = (u64)(uintptr_t)obj;
	u32 loc = place_find(X.places, addr, 0);

	return loc ? loc : intern_place(addr, 0, state ? state(obj) : 0);
}

u32 execute_intern(u64 addr, u32 size)
{
	u32 loc = place_find(X.places, addr, size);
	u64 v[2];

	if (loc && likely(!X.unseen[loc]))
		return loc;
	execute_foreign_before(addr, size, v);
	if (loc) {
		X.unseen[loc] = false;
		note_stack_owner(loc);
		X.places->place[loc].init = execute_pack(size, v);
		return loc;
	}
	return intern_place(addr, size, execute_pack(size, v));
}

static bool is_shared(enum sharing how, u64 addr, u32 size)
{
	switch (how) {
	case EXTENT_PRIVATE: return false;
	case EXTENT_SHARED:
	case EXTENT_REGION: return true;
	case EXTENT_CHANGED: execute_begin_again();
	case EXTENT_MIXED:
		execute_unsupported("an atomic access is not aligned (%u bytes at 0x%llx)", size,
			(unsigned long long)addr);
	case EXTENT_FULL: break;
	}
	execute_unsupported("limit: too much memory is shared between threads");
}

/* The pieces of the range, which atomic accesses of other sizes have cut. */
static u32 range_of_pieces(u64 addr, u32 size)
{
	struct sharing_location l;
	u32 range = intern_place(addr, size, 0), loc;
	u16 cuts = 0;

	for (u64 at = addr; at < addr + size; at += l.size) {
		l = sharing_location(at);
		loc = execute_intern(l.addr, l.size);
		X.places->place[loc].atomic = true;
		cuts |= (u16)(1u << (at - addr));
	}
	X.places->place[range].cuts = cuts;
	if (likely(X.places->mixed))
		return range;
	if (model_is_hardware(M.model))
		execute_unsupported("atomic accesses of different sizes overlap");
	sharing_learn_ranges(true, false);
	region_end_all();
	execute_know_ranges();
	execute_begin_again();
}

void execute_know_ranges(void)
{
	X.places->mixed = sharing_ranges().mixed;
	X.places->contended = sharing_ranges().contended;
}

u32 execute_location(u64 addr, u32 size)
{
	struct sharing_location l = {0, 0, false};
	u32 loc;

	is_shared(sharing_atomic(M.cur->slot, addr, size, &l), addr, size);
	if (unlikely(l.addr != addr || l.size != size))
		return range_of_pieces(addr, size);
	loc = execute_intern(addr, size);
	X.places->place[loc].atomic = true;
	X.places->place[loc].cuts = 0;
	return loc;
}

bool execute_has_pieces(u32 loc)
{
	return X.places->place[loc].cuts != 0;
}

void execute_updates(u32 range)
{
	u16 piece[PIECES_MAX];
	u32 n = place_pieces(X.places, range, piece);

	for (u32 i = 0; i < n; i++) {
		struct place *p = &X.places->place[piece[i]];

		if (p->updated && p->updated != range && !X.places->contended) {
			sharing_learn_ranges(false, true);
			execute_know_ranges();
			execute_begin_again();
		}
		p->updated = (u16)range;
	}
}

/* A write to another thread's stack matters even if no other thread reads it: the variable must be
 * alive. */
static bool on_another_stack(u64 addr)
{
	u64 at = addr - FIBER_STACKS;

	return at < (u64)THREADS_MAX * FIBER_STACK_STRIDE &&
	       at / FIBER_STACK_STRIDE != M.cur->slot;
}

u32 execute_plain_location(
	u64 addr, u32 size, bool writes, struct place *out, bool *atomic, bool *region)
{
	struct sharing_location l;
	enum sharing how;
	u32 loc;

	*region = false;
	if (unlikely(X.variables) && module_has_variable(addr))
		execute_know(addr, size, false);
	how = sharing_plain(M.cur->slot, addr, size);
	*region = how == EXTENT_REGION;
	if (*region)
		return 0;
	if (!is_shared(how, addr, size)) {
		if (likely(!writes || !on_another_stack(addr)))
			return 0;
		execute_know(addr, size, false);
		execute_begin_again();
	}
	l = sharing_location(addr);
	loc = execute_intern(l.addr, l.size);
	*out = X.places->place[loc];
	*atomic = X.promoted[loc];
	return loc;
}

void execute_know(u64 addr, u32 size, bool atomic)
{
	struct sharing_location ignored;

	for (u32 i = 0; i < 4; i++) { /* as if two threads had accessed it */
		if (atomic)
			sharing_atomic(i & 1, addr, size, &ignored);
		else if (addr % 8 + size <= 8)
			sharing_plain(i & 1, addr, size);
	}
}

void execute_know_variables(bool on)
{
	X.variables = on;
}
