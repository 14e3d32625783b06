/* SPDX-License-Identifier: ISC */
/* place.c - see place.h. */
#include "model/place.h"
#include "model/value.h"

static u32 *bucket(const struct places *p, u64 addr, u32 size)
{
	u64 h = (addr ^ (u64)size << 57) * 0x9e3779b97f4a7c15u;

	return (u32 *)&p->bucket[h >> (64 - PLACE_BUCKET_BITS)];
}

u32 place_find(const struct places *p, u64 addr, u32 size)
{
	u32 i = *bucket(p, addr, size);

	while (i && (p->place[i].addr != addr || p->place[i].size != size))
		i = p->place[i].hash_next;
	return i;
}

u32 place_intern(struct places *p, u64 addr, u32 size, u64 init)
{
	u32 i = place_find(p, addr, size), *b = bucket(p, addr, size);

	if (i)
		return i;
	if (p->n + 1 >= PLACES_MAX)
		return 0;
	i = ++p->n;
	p->place[i] = (struct place){.addr = addr, .size = size, .hash_next = *b, .init = init};
	*b = i;
	return i;
}

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
