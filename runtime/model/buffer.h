/* SPDX-License-Identifier: ISC */
/*
 * buffer.h - the store buffer of one thread, for TSO and PSO.
 *
 * One program-order list serves both models (theory: Linden's store buffers, in the representation
 * that was checked against per-variable queues). An entry is a store or a marker left by an
 * sfence. The next store to reach memory is
 *
 *     TSO   the first entry
 *     PSO   a store before the first marker that no older store overlaps
 *
 * Always. (1) a marker is never first: it is removed with the last store before it, so the buffer
 * is empty iff it has no entries; (2) two markers are never adjacent; (3) `ready` of an entry and
 * `nready` are the stores that PSO may commit; (4) `filter` has a bit for every 8-byte granule that
 * some entry overlaps. buffer_check() asserts them.
 */
#ifndef MODEL_BUFFER_H
#define MODEL_BUFFER_H

#include "base/base.h"

/* How stores reach memory on the store-buffer machine, for models that it executes. */
enum buffers {
	BUFFERS_UNDEFINED,   /* the machine does not execute this model */
	BUFFERS_NONE,	     /* at once */
	BUFFERS_FIFO,	     /* in program order */
	BUFFERS_BY_LOCATION, /* in program order for each location */
};

#define BUFFER_MAX   64 /* stores and markers */
#define BUFFER_ROOM  (2 * BUFFER_MAX)
#define BUFFER_FIRST \
	TINY(BUFFER_ROOM - 2, 0) /* initial head of an empty buffer; tiny: soon packed */

struct store {
	u64 addr;
	u64 value[2]; /* little endian, `size` bytes */
	u32 step;     /* the event that made it; only kept while recording */
	u8 size;      /* 1..16; 0 = marker */
	bool ready;   /* PSO: may be committed now */
	u16 site;     /* free for the machine */
#ifdef HEDDLE_TINY
	u32 nth;      /* entry of its buffer */
#endif
};

struct buffer {
	u32 head, n;	 /* entries are entry[head .. head+n) */
	u32 nstores;	 /* entries that are not markers */
	u32 nready;	 /* PSO: how many may be committed */
	u64 filter;
	bool pso;	 /* ready and nready are kept */
	struct store entry[BUFFER_ROOM];
#ifdef HEDDLE_TINY
	u32 pushed;	 /* entries ever made */
#endif
};

enum lookup { LOOKUP_MISS, LOOKUP_HIT, LOOKUP_PARTIAL };

/* buffer_invariants.c: check the result for each byte; check that the store may be committed. */
void buffer_check_lookup(
	const struct buffer *b, u64 addr, u32 size, enum lookup where, const struct store *found);
void buffer_check_taken(const struct buffer *b, const struct store *s);
void buffer_check_order(const struct buffer *b);

static inline u64 buffer_granules(u64 addr, u32 size)
{
	return 1ull << (addr >> 3 & 63) | 1ull << ((addr + size - 1) >> 3 & 63);
}

static inline void buffer_init(struct buffer *b, bool pso)
{
	b->pso = pso;
	b->head = BUFFER_FIRST;
	b->n = b->nstores = b->nready = 0;
	b->filter = 0;
}

static inline bool buffer_empty(const struct buffer *b)
{
	return b->n == 0;
}

void buffer_push_slow(struct buffer *b, u64 addr, u32 size, const u64 value[2], u32 step);

/* Append a store; n < BUFFER_MAX is the caller's responsibility. size is 1..16. */
static inline void buffer_push(struct buffer *b, u64 addr, u32 size, const u64 value[2], u32 step)
{
	struct store *s = &b->entry[b->head + b->n];

	if (unlikely(b->pso || b->head + b->n == BUFFER_ROOM)) {
		buffer_push_slow(b, addr, size, value, step);
		return;
	}
	s->addr = addr;
	s->value[0] = value[0];
	s->value[1] = value[1];
	s->size = (u8)size;
	s->step = step;
	s->ready = false;
	INVARIANT(s->nth = b->pushed++);
	b->n++;
	b->nstores++;
	b->filter |= buffer_granules(addr, size);
}

/* sfence: stores made before reach memory before stores made after. At most BUFFER_MAX entries.
 * Only with pso. */
void buffer_mark(struct buffer *b);

enum lookup buffer_lookup_slow(const struct buffer *b, u64 addr, u32 size, struct store *found);

/*
 * The result of a load of [addr, addr+size) by the owner: MISS - no entry overlaps, read memory;
 * HIT - the youngest overlapping entry covers it, its bytes are in found->value (moved so that byte
 * 0 is the one at addr) and its step in found->step; PARTIAL - it covers only a part: the load must
 * wait until the overlapping entries have reached memory.
 */
static inline enum lookup buffer_lookup(
	const struct buffer *b, u64 addr, u32 size, struct store *found)
{
	if (likely(!(b->filter & buffer_granules(addr, size)))) {
		INVARIANT(buffer_check_lookup(b, addr, size, LOOKUP_MISS, found));
		return LOOKUP_MISS;
	}
	return buffer_lookup_slow(b, addr, size, found);
}

/* Whether any entry overlaps [addr, addr+size), of any size. */
bool buffer_overlaps(const struct buffer *b, u64 addr, u64 size);

void buffer_pop_slow(struct buffer *b, struct store *out);

/* Take the first store out. The buffer is not empty. */
static inline void buffer_pop(struct buffer *b, struct store *out)
{
	const struct store *s;

	if (unlikely(b->pso)) {
		buffer_pop_slow(b, out);
		return;
	}
	s = &b->entry[b->head++];
	out->addr = s->addr; /* one by one, as they were stored: the processor can forward these */
	out->value[0] = s->value[0];
	out->value[1] = s->value[1];
	out->step = s->step;
	out->size = s->size;
	INVARIANT(out->nth = s->nth);
	b->n--;
	b->nstores--;
	if (!b->n) {
		b->head = BUFFER_FIRST;
		b->filter = 0;
	}
	INVARIANT(buffer_check_taken(b, out));
}

/* Take the k-th committable store out (PSO), k < nready, in program order. */
void buffer_take(struct buffer *b, u32 k, struct store *out);

/* The k-th committable store (PSO), not taken out. */
const struct store *buffer_peek(const struct buffer *b, u32 k);

/* The store that a strategy's choice k denotes: under PSO the k-th that may be committed, under TSO
 * the first. */
static inline const struct store *buffer_option(const struct buffer *b, u32 k)
{
	return b->pso ? buffer_peek(b, k) : &b->entry[b->head];
}

/* Remove all stores to [low, high): that memory is dead, and they must never reach it. */
void buffer_discard(struct buffer *b, u64 low, u64 high);

void buffer_check(const struct buffer *b);

#endif
