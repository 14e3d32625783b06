/* SPDX-License-Identifier: ISC */
/* spin.c - see spin.h. */
#include "machine/spin.h"
#include "machine/core.h"
#include "machine/memory.h"

#include <string.h>

static void anchor(struct spin *s, const struct entry_frame *f, u64 stack_end)
{
	u64 sp = (u64)(uintptr_t)(f + 1);

	s->next *= 2;
	s->nreads = 0;
	s->nstack = 0;
	if (stack_end - sp > SPIN_STACK)
		return;
	s->nstack = (u32)(stack_end - sp);
	s->sp = sp;
	s->return_address = f->return_address;
	memcpy(s->saved, f->saved, sizeof s->saved);
	memcpy(s->stack, (void *)(uintptr_t)sp, s->nstack);
}

static bool same_state(const struct spin *s, const struct entry_frame *f)
{
	return s->return_address == f->return_address && s->sp == (u64)(uintptr_t)(f + 1) &&
	       !memcmp(s->saved, f->saved, sizeof s->saved) &&
	       !memcmp(s->stack, (void *)(uintptr_t)s->sp, s->nstack);
}

bool spin_visit(struct spin *s, const struct entry_frame *f, u64 stack_end)
{
	if (s->nstack && s->nreads && s->nreads <= SPIN_READS && same_state(s, f))
		return true;
	if (unlikely(++s->loads == s->next))
		anchor(s, f, stack_end);
	return false;
}

bool spin_changed(const struct spin *s, u64 addr, u64 size)
{
	for (u32 i = 0; i < s->nreads; i++) {
		const struct spin_read *r = &s->read[i];
		u64 now[2];

		if (size && !(r->addr < addr + size && addr < r->addr + r->size))
			continue;
		memory_read(r->addr, r->size, now);
		if (now[0] != r->value[0] || now[1] != r->value[1])
			return true;
	}
	return false;
}
