/* SPDX-License-Identifier: ISC */
/*
 * buffer.c - the store buffer of one thread; see buffer.h.
 *
 * Entries lie in an array of twice the capacity, so that TSO only moves `head` and PSO closes the
 * gap by moving the older entries (usually few) up; the array is packed when its end is reached.
 */
#include "model/buffer.h"

static bool overlap(const struct store *s, u64 addr, u64 size)
{
	return s->size && s->addr < addr + size && addr < s->addr + s->size;
}

/* Whether the i-th entry may be committed under PSO. */
static bool may_reach_memory(const struct buffer *b, u32 i)
{
	const struct store *e = &b->entry[b->head];

	if (!e[i].size)
		return false;
	for (u32 k = 0; k < i; k++)
		if (!e[k].size || overlap(&e[k], e[i].addr, e[i].size))
			return false;
	return true;
}

static void move_down(struct buffer *b)
{
	for (u32 i = 0; i < b->n; i++)
		b->entry[i] = b->entry[b->head + i];
	b->head = 0;
}

static struct store *append_store(struct buffer *b)
{
	BUG_ON(b->n >= BUFFER_MAX);
	if (unlikely(b->head + b->n == BUFFER_ROOM))
		move_down(b);
	INVARIANT(b->entry[b->head + b->n].nth = b->pushed++);
	return &b->entry[b->head + b->n++];
}

void buffer_push_slow(struct buffer *b, u64 addr, u32 size, const u64 value[2], u32 step)
{
	struct store *s = append_store(b);

	s->addr = addr;
	s->value[0] = value[0];
	s->value[1] = value[1];
	s->size = (u8)size;
	s->step = step;
	s->ready = b->pso && may_reach_memory(b, b->n - 1);
	b->nready += s->ready;
	b->nstores++;
	b->filter |= buffer_granules(addr, size);
}

void buffer_mark(struct buffer *b)
{
	struct store *s;

	BUG_ON(!b->pso);
	if (!b->n || !b->entry[b->head + b->n - 1].size)
		return;
	s = append_store(b);
	s->addr = 0;
	s->size = 0;
	s->ready = false;
}

/* Bytes [skip, skip+16) of a 16-byte little-endian value. */
static void shift_value(const u64 from[2], u32 skip, u64 to[2])
{
	u128 v = (u128)from[1] << 64 | from[0];

	v >>= 8 * skip;
	to[0] = (u64)v;
	to[1] = (u64)(v >> 64);
}

static enum lookup find_store(const struct buffer *b, u64 addr, u32 size, struct store *found)
{
	for (u32 i = b->n; i-- > 0;) {
		const struct store *s = &b->entry[b->head + i];

		if (!overlap(s, addr, size))
			continue;
		found->step = s->step;
		found->addr = s->addr;
		found->size = s->size;
		if (addr < s->addr || addr + size > s->addr + s->size)
			return LOOKUP_PARTIAL;
		shift_value(s->value, (u32)(addr - s->addr), found->value);
		return LOOKUP_HIT;
	}
	return LOOKUP_MISS;
}

enum lookup buffer_lookup_slow(const struct buffer *b, u64 addr, u32 size, struct store *found)
{
	enum lookup where = find_store(b, addr, size, found);

	INVARIANT(buffer_check_lookup(b, addr, size, where, found));
	return where;
}

bool buffer_overlaps(const struct buffer *b, u64 addr, u64 size)
{
	for (u32 i = 0; i < b->n; i++)
		if (overlap(&b->entry[b->head + i], addr, size))
			return true;
	return false;
}

static void update_ready(struct buffer *b)
{
	b->nready = 0;
	for (u32 i = 0; i < b->n; i++) {
		struct store *s = &b->entry[b->head + i];

		s->ready = may_reach_memory(b, i);
		b->nready += s->ready;
	}
}

/* Remove markers that no store precedes. */
static void drop_markers(struct buffer *b)
{
	while (b->n && !b->entry[b->head].size) {
		b->head++;
		b->n--;
	}
	if (!b->n) {
		b->head = BUFFER_FIRST;
		b->filter = 0;
	}
}

static void remove_at(struct buffer *b, u32 i, struct store *out)
{
	struct store *e = &b->entry[b->head];

	*out = e[i];
	for (; i > 0; i--)
		e[i] = e[i - 1];
	b->head++;
	b->n--;
	b->nstores--;
	drop_markers(b);
	if (b->pso)
		update_ready(b);
	INVARIANT(buffer_check_taken(b, out));
}

void buffer_pop_slow(struct buffer *b, struct store *out)
{
	BUG_ON(!b->n);
	remove_at(b, 0, out);
}

static u32 nth_ready(const struct buffer *b, u32 k)
{
	for (u32 i = 0; i < b->n; i++)
		if (b->entry[b->head + i].ready && k-- == 0)
			return i;
	BUG_ON(true);
}

void buffer_take(struct buffer *b, u32 k, struct store *out)
{
	remove_at(b, nth_ready(b, k), out);
}

const struct store *buffer_peek(const struct buffer *b, u32 k)
{
	return &b->entry[b->head + nth_ready(b, k)];
}

void buffer_discard(struct buffer *b, u64 low, u64 high)
{
	struct store entry[BUFFER_MAX];
	u32 n = b->n;

	for (u32 i = 0; i < n; i++)
		entry[i] = b->entry[b->head + i];
	buffer_init(b, b->pso);
	for (u32 i = 0; i < n; i++) {
		if (!entry[i].size)
			buffer_mark(b);
		else if (entry[i].addr < low || entry[i].addr >= high)
			buffer_push(b, entry[i].addr, entry[i].size, entry[i].value, entry[i].step);
	}
}

void buffer_check(const struct buffer *b)
{
	u32 stores = 0, ready = 0;

	for (u32 i = 0; i < b->n; i++) {
		const struct store *s = &b->entry[b->head + i];

		BUG_ON(!s->size && (i == 0 || !s[-1].size));
		BUG_ON(s->ready != (b->pso && may_reach_memory(b, i)));
		BUG_ON(s->size && (b->filter & buffer_granules(s->addr, s->size)) !=
					  buffer_granules(s->addr, s->size));
		stores += s->size != 0;
		ready += s->ready;
	}
	BUG_ON(stores != b->nstores || ready != b->nready);
	BUG_ON(b->head + b->n > BUFFER_ROOM);
	INVARIANT(buffer_check_order(b));
}
