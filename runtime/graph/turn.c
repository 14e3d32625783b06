/* SPDX-License-Identifier: ISC */
/* turn.c - see turn.h. */
#include "graph/turn.h"
#include "process/bytes.h"
#include "process/fiber.h"
#include "machine/heap.h"

/* --- own memory ------------------------------------------------------------------------------ */

static void note(struct turn *t, u64 addr, u32 size)
{
	struct turn_write *w;

	if (!t->ndoors && !t->nheads)
		return; /* nothing to compare with later */
	for (u32 i = t->fresh; i < t->nwrites; i++)
		if (t->write[i].addr == addr && t->write[i].size == size)
			return;
	if (t->nwrites == TURN_WRITES) {
		turn_changes(t);
		return;
	}
	w = &t->write[t->nwrites++];
	*w = (struct turn_write){.addr = addr, .size = size};
	bytes_copy(&w->before, (const void *)(uintptr_t)addr, size);
	INVARIANT(turn_check(t));
}

void turn_writes(struct turn *t, u64 addr, u32 size)
{
	note(t, addr, size);
}

void turn_hands_over(struct turn *t, u64 addr)
{
	note(t, addr, 0);
}

/* Will nothing ever be read there that was there by then? */
static bool is_dead(const struct turn *t, const struct turn_mark *m, u64 addr, u64 sp)
{
	u64 stack = t->stack_end - FIBER_STACK_SIZE;

	if (addr - stack < FIBER_STACK_SIZE)
		return addr < sp && sp <= t->stack_end;
	return heap_is_gone((const void *)(uintptr_t)addr, t->slot, m->blocks);
}

/* Is own memory as it was, as far as it matters to frames above sp? */
static bool is_as_it_was(const struct turn *t, const struct turn_mark *m, u64 sp)
{
	for (u32 i = m->writes; i < t->nwrites; i++) {
		const struct turn_write *w = &t->write[i];
		bool again = false;

		for (u32 k = m->writes; k < i && !again; k++)
			again = t->write[k].addr == w->addr && t->write[k].size == w->size;
		if (again || is_dead(t, m, w->addr, sp))
			continue;
		if (!w->size || !bytes_equal(&w->before, (const void *)(uintptr_t)w->addr, w->size))
			return false;
	}
	return true;
}

/* --- shared memory --------------------------------------------------------------------------- */

static bool overlaps(const struct turn_store *s, u64 addr, u32 n)
{
	return s->addr < addr + n && addr < s->addr + s->size;
}

void turn_stores(struct turn *t, u64 addr, u32 n, const u8 *from)
{
	struct turn_store new = {.addr = addr, .size = n};
	u32 kept = 0;

	bytes_copy(&new.value, from, n);
	for (u32 i = 0; i < t->nstores; i++) {
		const struct turn_store *s = &t->store[i];

		if (s->addr == addr && s->size == n && s->value == new.value)
			return;
		if (!overlaps(s, addr, n))
			t->store[kept++] = *s;
	}
	turn_changes(t);
	t->nstores = kept;
	if (t->nstores < TURN_STORES)
		t->store[t->nstores++] = new;
	INVARIANT(turn_check(t));
}

/* --- states ---------------------------------------------------------------------------------- */

static struct turn_mark mark(struct turn *t)
{
	t->fresh = t->nwrites;
	return (struct turn_mark){t->reads, t->nwrites, heap_blocks(t->slot)};
}

/* --- doors ----------------------------------------------------------------------------------- */

static bool is_door(const struct turn_door *s, const struct entry_frame *f, u64 sp)
{
	return s->return_address == f->return_address && s->sp == sp &&
	       bytes_equal(s->saved, f->saved, sizeof s->saved) &&
	       bytes_equal(s->stack, (const void *)(uintptr_t)sp, s->nstack);
}

u32 turn_at_door(struct turn *t, const struct entry_frame *f)
{
	u64 sp = (u64)(uintptr_t)(f + 1);
	struct turn_door *s;

	if (t->stack_end - sp > SPIN_STACK)
		return 0;
	for (u32 i = 0; i < t->ndoors; i++) {
		s = &t->door[i];
		if (s->mark.reads < t->reads && is_door(s, f, sp) && is_as_it_was(t, &s->mark, sp))
			return t->reads - s->mark.reads;
	}
	s = &t->door[t->next_door];
	t->next_door = (t->next_door + 1) % TURN_STATES;
	t->ndoors += t->ndoors < TURN_STATES;
	s->mark = mark(t);
	s->return_address = f->return_address;
	s->sp = sp;
	s->nstack = (u32)(t->stack_end - sp);
	bytes_copy(s->saved, f->saved, sizeof s->saved);
	bytes_copy(s->stack, (const void *)(uintptr_t)sp, s->nstack);
	INVARIANT(turn_check(t));
	return 0;
}

/* --- heads of loops -------------------------------------------------------------------------- */

/* What is kept of earlier turns of the same call's loop: has it been here? Forgets them where the
 * loop is entered: what was computed before it may be new. */
static u32 find_head(struct turn *t, const struct turn_visit *v)
{
	for (u32 i = 0; i < t->nheads; i++) {
		struct turn_head *s = &t->head[i];

		if (s->loop != v->loop || s->frame != v->frame)
			continue;
		if (v->entered)
			s->loop = NULL;
		else if (s->mark.reads < t->reads && s->n == v->n &&
			 bytes_equal(s->value, v->values, v->n) && is_as_it_was(t, &s->mark, v->sp))
			return t->reads - s->mark.reads;
	}
	return 0;
}

u32 turn_at_head(struct turn *t, const struct turn_visit *v)
{
	u32 reads = find_head(t, v);
	struct turn_head *s;

	if (reads)
		return reads;
	s = &t->head[t->next_head];
	t->next_head = (t->next_head + 1) % TURN_STATES;
	t->nheads += t->nheads < TURN_STATES;
	s->mark = mark(t);
	s->loop = v->loop;
	s->frame = v->frame;
	s->n = v->n;
	bytes_copy(s->value, v->values, v->n);
	INVARIANT(turn_check(t));
	return 0;
}
