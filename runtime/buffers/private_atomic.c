/* SPDX-License-Identifier: ISC */
/* private_atomic.c - the effect of atomic accesses and synchronisation on private memory; see
 * private.h. */
#include "buffers/private.h"
#include "buffers/cell.h"
#include "buffers/happens.h"
#include "buffers/lockset.h"
#include "buffers/race.h"

/* Do plain accesses to these bytes of the cell race with the atomic one? */
static void judge_plain(const struct cell *c, u64 bytes, const struct access *a)
{
	for (u32 i = 0; i < c->writes.n; i++)
		if (c->writes.word[i] & bytes && !happens_before(c->writes.word[i], M.cur))
			race_found(a, c->writes.word[i], true);
	for (u32 i = 0; a->write && i < c->reads.n; i++)
		if (c->reads.word[i] & bytes && !happens_before(c->reads.word[i], M.cur))
			race_found(a, c->reads.word[i], false);
}

/* The number of these adjacent bytes. */
static inline u32 bytes_size(u64 bytes)
{
	return 64 - (u32)__builtin_clzll(bytes) - (u32)__builtin_ctzll(bytes);
}

/* The atom that begins at byte i. */
static struct cell_atom *need_atom(struct cell *c, u32 i, u64 bytes)
{
	struct cell_atom *x = &c->atom[i];
	u32 size = bytes_size(bytes);

	c->mixed |= c->visible & bytes && (!(c->atoms >> i & 1) || x->size != size);
	c->visible |= (u8)bytes;
	if (c->atoms >> i & 1) {
		x->size = x->size > size ? x->size : size;
		return x;
	}
	*x = (struct cell_atom){.size = size};
	c->only = c->atoms | c->writes.n | c->reads.n ? 0 : cell_only(i, size);
	c->atoms |= (u8)(1u << i);
	return x;
}

/* The part of the access in the granule at `at`. NULL: it is not tracked. */
static struct cell_atom *atom_at(u64 at, struct access *a, struct cell **cell)
{
	struct granule *g = granule_now(at);
	struct cell *c = g ? cell_need(g) : NULL;
	u64 bytes = granule_bytes(at, a->addr, a->size);
	u32 first = (u32)__builtin_ctzll(bytes);
	struct cell_atom *x;

	*cell = c;
	a->at = at;
	if (!c)
		return NULL;
	if (unlikely(locksets_on) && !c->atoms)
		lockset_note_atomic(at);
	x = need_atom(c, first, bytes);
	if (unlikely(c->writes.n + c->reads.n) && !c->known)
		judge_plain(c, bytes, a);
	if (!a->write || a->rmw)
		x->read = M.cur->epoch;
	if (a->write)
		x->write = M.cur->epoch;
	return x;
}

#define EACH_GRANULE(at, addr, size)                                                               \
	(u64 at = (addr) & ~(u64)(GRANULE_SIZE - 1); at < (addr) + (size); at += GRANULE_SIZE)

/* The messages of all atoms that overlap these bytes. */
static void receive(const struct cell *c, const struct cell_atom *x, u64 bytes, int order)
{
	if (likely(!c->mixed)) {
		happens_receive(M.cur, x->message, order);
		return;
	}
	for (u32 i = 0; i < GRANULE_SIZE; i++)
		if (c->atoms >> i & 1 && bytes & ((1u << c->atom[i].size) - 1) << i)
			happens_receive(M.cur, c->atom[i].message, order);
}

/* The cell of an atomic variable if all its accesses were like this one; else NULL. */
static inline struct cell *simple_cell(u64 addr, u32 size)
{
	u64 first = addr & (GRANULE_SIZE - 1), word = granule_of(addr)->write;
	struct cell *c;

	if (unlikely(!word_is_now(word) || !(word & WORD_CELL) || size > GRANULE_SIZE))
		return NULL;
	c = cell_of(word);
	return likely(c->only == cell_only(first, size)) ? c : NULL;
}

static __attribute__((noinline)) void load_private_part(struct access *a, u64 at)
{
	struct cell *c;
	const struct cell_atom *x = atom_at(at, a, &c);

	if (x)
		receive(c, x, granule_bytes(at, a->addr, a->size), a->order & HEDDLE_ORDER_MASK);
}

void private_atomic_load(struct thread *t, u64 addr, u32 size, int order)
{
	struct cell *c = simple_cell(addr, size);
	struct access a;

	if (likely(c)) {
		struct cell_atom *x = &c->atom[addr & (GRANULE_SIZE - 1)];

		x->read = t->epoch;
		happens_receive(t, x->message, order & HEDDLE_ORDER_MASK);
		return;
	}
	a = (struct access){.addr = addr, .size = size, .order = order};
	for EACH_GRANULE (at, addr, size)
		load_private_part(&a, at);
}

u32 private_atomic_store(struct thread *t, u64 addr, u32 size, int order, const u64 *value)
{
	struct cell *c = simple_cell(addr, size);

	if (likely(c)) {
		c->atom[addr & (GRANULE_SIZE - 1)].write = t->epoch;
	} else {
		struct access a = {.addr = addr, .size = size, .write = true, .order = order,
			.value = value};

		for EACH_GRANULE (at, addr, size)
			atom_at(at, &a, &c);
	}
	return private_on ? happens_send(t, order & HEDDLE_ORDER_MASK) : MESSAGE_NONE;
}

void private_atomic_commit(u64 addr, u32 size, u32 message)
{
	bool given = false;

	for EACH_GRANULE (at, addr, size) {
		struct granule *g = private_on ? granule_now(at) : NULL;
		struct cell *c = g ? cell_need(g) : NULL;
		u64 bytes = granule_bytes(at, addr, size);
		struct cell_atom *x;

		if (!c)
			continue;
		x = &c->atom[__builtin_ctzll(bytes)];
		if (unlikely(!(c->atoms >> __builtin_ctzll(bytes) & 1)))
			x = need_atom(c, (u32)__builtin_ctzll(bytes), bytes);
		happens_drop(x->message);
		x->message = given ? happens_copy(message) : message;
		given = true;
	}
	if (!given)
		happens_drop(message);
}

static __attribute__((noinline)) void update_part(struct access *a, u64 at)
{
	int mo = a->order & HEDDLE_ORDER_MASK;
	struct cell *c;
	struct cell_atom *x = atom_at(at, a, &c);

	if (!x)
		return;
	receive(c, x, granule_bytes(at, a->addr, a->size), mo);
	x->message = happens_pass(M.cur, x->message, mo);
}

void private_atomic_rmw(struct thread *t, u64 addr, u32 size, int order)
{
	struct cell *c = simple_cell(addr, size);
	struct access a;

	if (likely(c)) {
		struct cell_atom *x = &c->atom[addr & (GRANULE_SIZE - 1)];

		x->read = x->write = t->epoch;
		happens_receive(t, x->message, order & HEDDLE_ORDER_MASK);
		x->message = happens_pass(t, x->message, order & HEDDLE_ORDER_MASK);
		return;
	}
	a = (struct access){.addr = addr, .size = size, .write = true, .rmw = true, .order = order};
	for EACH_GRANULE (at, addr, size)
		update_part(&a, at);
}

void private_atomic_cas(struct thread *t, u64 addr, u32 size, int orders, bool ok)
{
	if (ok)
		private_atomic_rmw(t, addr, size, orders);
	else
		private_atomic_load(t, addr, size, orders >> 8);
}

void private_operate(struct thread *t, const void *obj)
{
	struct granule *g = granule_now((u64)(uintptr_t)obj & ~(u64)(GRANULE_SIZE - 1));
	struct cell *c = g ? cell_need(g) : NULL;

	if (!c)
		return;
	if (unlikely(locksets_on) && !c->object)
		lockset_note_object((u64)(uintptr_t)obj & ~(u64)(GRANULE_SIZE - 1));
	c->object = happens_operate(t, c->object);
}
