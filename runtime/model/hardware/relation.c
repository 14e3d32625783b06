/* SPDX-License-Identifier: ISC */
/* relation.c - see relation.h. */
#include "model/hardware/relation.h"

u64 *relation_new(struct relation_frame *f)
{
	u64 *r = f->free;

	f->free += f->n * (size_t)f->words;
	__builtin_memset(r, 0, relation_size(f));
	return r;
}

u64 *relation_copy(struct relation_frame *f, const u64 *r)
{
	u64 *copy = f->free;

	f->free += f->n * (size_t)f->words;
	__builtin_memcpy(copy, r, relation_size(f));
	return copy;
}

static bool join_row(const struct relation_frame *f, u64 *to, const u64 *row)
{
	u64 changed = 0;

	for (u32 k = 0; k < f->words; k++) {
		changed |= row[k] & ~to[k];
		to[k] |= row[k];
	}
	return changed;
}

bool relation_join(const struct relation_frame *f, u64 *to, const u64 *r)
{
	bool changed = false;

	for (u32 i = 0; i < f->n; i++)
		changed |= join_row(f, relation_row(f, to, i), relation_row(f, r, i));
	return changed;
}

bool relation_compose(const struct relation_frame *f, u64 *to, const u64 *a, const u64 *b)
{
	bool changed = false;

	for (u32 i = 0; i < f->n; i++)
		for (u32 k = 0; k < f->words; k++)
			for (u64 row = relation_row(f, a, i)[k]; row; row &= row - 1) {
				u32 j = 64 * k + (u32)__builtin_ctzll(row);

				changed |= join_row(
					f, relation_row(f, to, i), relation_row(f, b, j));
			}
	return changed;
}

u64 *relation_then(struct relation_frame *f, const u64 *a, const u64 *b)
{
	u64 *r = relation_new(f);

	relation_compose(f, r, a, b);
	return r;
}

void relation_close(const struct relation_frame *f, u64 *r)
{
	for (u32 k = 0; k < f->n; k++)
		for (u32 i = 0; i < f->n; i++)
			if (relation_has(f, r, i, k))
				join_row(f, relation_row(f, r, i), relation_row(f, r, k));
}

void relation_reflect(const struct relation_frame *f, u64 *r)
{
	for (u32 i = 0; i < f->n; i++)
		relation_add(f, r, i, i);
}

bool relation_reflexive(const struct relation_frame *f, const u64 *r)
{
	for (u32 i = 0; i < f->n; i++)
		if (relation_has(f, r, i, i))
			return true;
	return false;
}

bool relation_cyclic(const struct relation_frame *f, u64 *r)
{
	relation_close(f, r);
	return relation_reflexive(f, r);
}
