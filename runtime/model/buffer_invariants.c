/* SPDX-License-Identifier: ISC */
/*
 * buffer_invariants.c - a specification of the store buffer (make TINY=1), without its lists,
 * filter and flags: based only on the order in which entries were added.
 */
#include "model/buffer.h"

#ifdef HEDDLE_TINY /* the unit tests are linked with all of model/, and these numbers are in no \
		      other build */

/* Entries are in the order in which they were added. */
void buffer_check_order(const struct buffer *b)
{
	const struct store *e = &b->entry[b->head];

	BUG_ON(b->n > BUFFER_MAX || (!b->n && b->filter));
	for (u32 i = 1; i < b->n; i++)
		BUG_ON(e[i].nth <= e[i - 1].nth);
	BUG_ON(b->n && e[b->n - 1].nth >= b->pushed);
}

static bool has_byte(const struct store *s, u64 byte)
{
	return byte - s->addr < s->size;
}

/* A store was committed: no older entry may be in its way. */
void buffer_check_taken(const struct buffer *b, const struct store *s)
{
	BUG_ON(!s->size);
	for (u32 i = 0; i < b->n; i++) {
		const struct store *older = &b->entry[b->head + i];

		if (older->nth > s->nth)
			continue;
		BUG_ON(!b->pso || !older->size || older->nth == s->nth);
		for (u32 k = 0; k < s->size; k++)
			BUG_ON(has_byte(older, s->addr + k));
	}
	buffer_check_order(b);
}

/* The youngest entry with this byte, wherever it lies. */
static const struct store *youngest(const struct buffer *b, u64 byte)
{
	const struct store *y = NULL;

	for (u32 i = 0; i < b->n; i++) {
		const struct store *s = &b->entry[b->head + i];

		if (has_byte(s, byte) && (!y || s->nth > y->nth))
			y = s;
	}
	return y;
}

/* Each byte comes from the youngest store to it; a hit has all bytes from one store. */
void buffer_check_lookup(
	const struct buffer *b, u64 addr, u32 size, enum lookup where, const struct store *found)
{
	const struct store *one = youngest(b, addr);
	bool any = one, same = true;

	for (u32 i = 1; i < size; i++) {
		const struct store *y = youngest(b, addr + i);

		any |= y != NULL;
		same &= y == one;
	}
	BUG_ON(where != (!any ? LOOKUP_MISS : same ? LOOKUP_HIT : LOOKUP_PARTIAL));
	if (where != LOOKUP_HIT)
		return;
	BUG_ON(found->step != one->step);
	for (u32 i = 0; i < size; i++)
		BUG_ON(((const u8 *)found->value)[i] !=
			((const u8 *)one->value)[addr + i - one->addr]);
}

#endif
