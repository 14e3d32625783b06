/* SPDX-License-Identifier: ISC */
/* spin.c - see spin.h. */
#include "machine/spin.h"
#include "machine/core.h"
#include "process/bytes.h"

/* Keep the state to compare with; without `whole`, only the thread's position. */
static void move_anchor(struct spin *s, const struct entry_frame *f, u64 stack_end, bool whole)
{
	u64 sp = (u64)(uintptr_t)(f + 1);

	s->nreads = 0;
	s->nstack = 0;
	s->sp = sp;
	s->return_address = f->return_address;
	if (!whole || stack_end - sp > SPIN_STACK)
		return;
	s->nstack = (u32)(stack_end - sp);
	__builtin_memcpy(s->saved, f->saved, sizeof s->saved);
	bytes_copy(s->stack, (void *)(uintptr_t)sp, s->nstack);
}

static bool same_frame_state(const struct spin *s, const struct entry_frame *f)
{
	return bytes_equal(s->saved, f->saved, sizeof s->saved) &&
	       bytes_equal(s->stack, (void *)(uintptr_t)s->sp, s->nstack);
}

bool spin_returns(struct spin *s, const struct entry_frame *f, u64 stack_end, bool eager)
{
	bool here = s->return_address == f->return_address && s->sp == (u64)(uintptr_t)(f + 1);

	if (here && s->nstack && s->nreads && s->nreads <= SPIN_READS && same_frame_state(s, f))
		return true;
	if (++s->loads >= s->next) {
		s->next = s->loads * 2;
		move_anchor(s, f, stack_end, eager);
	} else if (here && !s->nstack) {
		move_anchor(s, f, stack_end, true);
	}
	return false;
}

/* Would the thread now read another value at r? Its own buffered store hides memory. */
static bool read_changed(const struct buffer *b, const struct spin_read *r)
{
	struct store found;
	u64 now[2];

	switch (buffer_lookup(b, r->addr, r->size, &found)) {
	case LOOKUP_PARTIAL:
		return true;
	case LOOKUP_HIT:
		return !bytes_equal(found.value, r->value, r->size);
	case LOOKUP_MISS:
		break;
	}
	memory_read(r->addr, r->size, now);
	return now[0] != r->value[0] || now[1] != r->value[1];
}

bool spin_changed(const struct spin *s, const struct buffer *b, u64 addr, u64 size)
{
	for (u32 i = 0; i < s->nreads; i++) {
		const struct spin_read *r = &s->read[i];

		if (size && !(r->addr < addr + size && addr < r->addr + r->size))
			continue;
		if (read_changed(b, r))
			return true;
	}
	return false;
}
