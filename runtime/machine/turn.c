/* SPDX-License-Identifier: ISC */
/* turn.c - see turn.h. */
#include "machine/turn.h"
#include "machine/bytes.h"

static bool same(const u8 *a, const u8 *b, u32 n)
{
	u32 i = 0;

	for (; i + 8 <= n; i += 8)
		if (*(const u64 *)(a + i) != *(const u64 *)(b + i))
			return false;
	for (; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

static bool is_state(const struct turn_state *s, const struct entry_frame *f, u64 sp)
{
	return s->return_address == f->return_address && s->sp == sp &&
	       same((const u8 *)s->saved, (const u8 *)f->saved, sizeof s->saved) &&
	       same(s->stack, (const u8 *)(uintptr_t)sp, s->nstack);
}

u32 turn_returns(struct turn *t, const struct entry_frame *f, u64 stack_end)
{
	u64 sp = (u64)(uintptr_t)(f + 1);
	struct turn_state *s;

	if (stack_end - sp > SPIN_STACK)
		return 0;
	for (u32 i = 0; i < t->n; i++) {
		s = &t->state[i];
		if (s->reads < t->reads && is_state(s, f, sp))
			return t->reads - s->reads;
	}
	s = &t->state[t->next];
	t->next = (t->next + 1) % TURN_STATES;
	t->n += t->n < TURN_STATES;
	s->return_address = f->return_address;
	s->sp = sp;
	s->reads = t->reads;
	s->nstack = (u32)(stack_end - sp);
	bytes_copy(s->saved, f->saved, sizeof s->saved);
	bytes_copy(s->stack, (const void *)(uintptr_t)sp, s->nstack);
	return 0;
}

static bool overlaps(const struct turn_write *w, u64 addr, size_t n)
{
	return w->addr < addr + n && addr < w->addr + w->size;
}

void turn_stores(struct turn *t, u64 addr, size_t n, const u8 *from)
{
	struct turn_write new = {.addr = addr, .size = (u32)n};
	u32 kept = 0;

	if (n > sizeof new.value) {
		turn_reset(t);
		return;
	}
	bytes_copy(&new.value, from, n);
	for (u32 i = 0; i < t->nwritten; i++) {
		const struct turn_write *w = &t->written[i];

		if (w->addr == addr && w->size == n && w->value == new.value)
			return;
		if (!overlaps(w, addr, n))
			t->written[kept++] = *w;
	}
	t->n = t->next = t->reads = 0;
	t->nwritten = kept;
	if (t->nwritten < TURN_WRITES)
		t->written[t->nwritten++] = new;
}
