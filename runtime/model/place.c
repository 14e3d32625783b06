/* SPDX-License-Identifier: ISC */
/* place.c - see place.h. */
#include "model/place.h"
#include "model/value.h"

static u32 *place_bucket(const struct places *p, u64 addr, u32 size)
{
	u64 h = (addr ^ (u64)size << 57) * 0x9e3779b97f4a7c15u;

	return (u32 *)&p->bucket[h >> (64 - PLACE_BUCKET_BITS)];
}

u32 place_find(const struct places *p, u64 addr, u32 size)
{
	u32 i = *place_bucket(p, addr, size);

	while (i && (p->place[i].addr != addr || p->place[i].size != size))
		i = p->place[i].hash_next;
	return i;
}

u32 place_intern(struct places *p, u64 addr, u32 size, u64 init)
{
	u32 i = place_find(p, addr, size), *b = place_bucket(p, addr, size);

	if (i)
		return i;
	if (p->n + 1 >= PLACES_MAX)
		return 0;
	i = ++p->n;
	p->place[i] = (struct place){.addr = addr, .size = size, .hash_next = *b, .init = init};
	*b = i;
	return i;
}

/* --- pieces ---------------------------------------------------------------------------------- */

u32 place_pieces(const struct places *p, u32 range, u16 piece[PIECES_MAX])
{
	const struct place *r = &p->place[range];
	u32 n = 0;

	piece[0] = (u16)range;
	for (u32 at = 0, next; r->cuts && at < r->size; at = next) {
		for (next = at + 1; next < r->size && !(r->cuts >> next & 1); next++)
			;
		piece[n++] = (u16)place_find(p, r->addr + at, next - at);
		BUG_ON(!piece[n - 1]);
	}
	return n ? n : 1;
}

bool place_is_whole(const struct places *p, u32 range)
{
	const struct place *r = &p->place[range];

	if (!r->cuts)
		return true;
	if (!(r->cuts & 1) || r->cuts >> r->size || !(r->cuts & (r->cuts - 1)))
		return false;
	for (u32 at = 0, next; at < r->size; at = next) {
		u32 piece;

		for (next = at + 1; next < r->size && !(r->cuts >> next & 1); next++)
			;
		piece = place_find(p, r->addr + at, next - at);
		if (!piece || p->place[piece].cuts)
			return false;
	}
	return true;
}

static u128 whole_value(const struct places *p, u32 size, u64 value)
{
	return size == 16 ? wide_value(p, value) : value;
}

u64 place_split(const struct places *p, u32 range, u32 piece, u64 value)
{
	const struct place *r = &p->place[range], *part = &p->place[piece];
	u64 v;

	if (range == piece)
		return value;
	v = (u64)(whole_value(p, r->size, value) >> 8 * (part->addr - r->addr));
	return part->size < 8 ? v & ((1ull << 8 * part->size) - 1) : v;
}

u64 place_join(struct places *p, u32 range, const u64 value[PIECES_MAX])
{
	const struct place *r = &p->place[range];
	u16 piece[PIECES_MAX];
	u32 n = place_pieces(p, range, piece);
	u128 all = 0;

	if (n == 1)
		return value[0];
	for (u32 i = 0; i < n; i++)
		all |= (u128)value[i] << 8 * (p->place[piece[i]].addr - r->addr);
	return r->size == 16 ? wide_intern(p, (u64)all, (u64)(all >> 64)) : (u64)all;
}

/* --- values of 16 bytes ---------------------------------------------------------------------- */

u64 wide_intern(struct places *p, u64 low, u64 high)
{
	if (!low && !high)
		return 0;
	for (u64 i = 1; i < p->nwide; i++) {
		if (p->wide[i][0] == low && p->wide[i][1] == high)
			return i;
	}
	if (!p->nwide)
		p->nwide = 1;
	BUG_ON(p->nwide >= p->maxwide);
	p->wide[p->nwide][0] = low;
	p->wide[p->nwide][1] = high;
	return p->nwide++;
}

u64 value_compute(struct places *p, u32 size, u64 old, u64 operand, int op)
{
	u128 result;

	if (size == 16) {
		result = value_apply(size, wide_value(p, old), wide_value(p, operand), op);
		return wide_intern(p, (u64)result, (u64)(result >> 64));
	}
	result = value_apply(size, old, operand, op);
	return size < 8 ? (u64)result & ((1ull << (8 * size)) - 1) : (u64)result;
}
