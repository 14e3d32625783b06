/* SPDX-License-Identifier: ISC */
/*
 * heap_arena.c - blocks that live in one execution: a bump pointer for each thread.
 *
 * Thread i's arena is at ARENA_BASE + i * 4 GiB, in every execution and every process. Its lower
 * half holds blocks of up to 1 MiB, its upper half larger ones, whose pages are given back when
 * they are freed and at the end of the execution. In each half blocks lie one behind the other:
 *
 *     | header 16 | user's bytes, rounded up to 16 | redzone 16 | header 16 | ...
 *
 * The padding and the redzone keep a small overflow from reaching the next header. A block with a
 * larger alignment has a filler block before it, so that the headers can be walked.
 *
 * An access may need the block of an address (heap_check.h): a table beside the lower half has the
 * distance to the header for each 16 bytes. Large blocks are few, and searched.
 *
 * Always. (1) `first` <= `next` <= `limit`; (2) walking from `first` by header sizes ends exactly
 * at `next`; (3) an arena is in `used` iff one of its halves has a block.
 */
#include "heap/heap_priv.h"
#include "heap/fresh.h"
#include "machine/invariants.h"
#include "process/bytes.h"
#include "process/pages.h"
#include "machine/machine.h"

#include <sys/mman.h>

#define BIG	     (1u << 20)
#define HALF	     (ARENA_SIZE / 2)
#define REDZONE	     16
#define KEPT	     TINY(4096u, 4u << 20) /* of a lower half kept resident between executions */
#define HEADER_MAGIC 0x62u

enum header_flag { HEADER_FREED = 1 << 0, HEADER_FILLER = 1 << 1, HEADER_EARLY = 1 << 2 };

struct block_header {
	u64 size : 32, owner : 9, freer : 9, flags : 6, magic : 8;
	u32 nth;  /* the thread's n-th block */
	u32 seal; /* from its address: distinguishes a header from other data */
};

struct half {
	u64 first, next, limit;
};

static struct heap_arena {
	struct half half[2]; /* small, big */
	u32 *way; /* of 16 bytes of the lower half: back to the header, in such units, + 1 */
	u64 large;	     /* the header of the large block found last */
	u32 count;	     /* blocks in this execution */
	bool used;
} arenas[THREADS_MAX];

static bool watching;

static u16 used[THREADS_MAX];
static u32 nused;

static u32 seal_of(const struct block_header *h)
{
	return (u32)((u64)(uintptr_t)h >> 4) * 0x9e3779b1u;
}

static u64 arena_address(unsigned thread)
{
	return ARENA_BASE + (u64)thread * ARENA_SIZE;
}

/* Reserve the arena's addresses; less if the limits of the process do not allow all. */
static bool arena_map(struct heap_arena *a, unsigned thread)
{
	for (u64 size = HALF; size >= HALF >> 8; size >>= 3) {
		bool ok = true;

		for (unsigned i = 0; i < 2; i++) {
			u64 at = arena_address(thread) + i * HALF;
			void *p = mmap((void *)at, size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
				-1, 0);

			if (p != (void *)at) {
				if (p != MAP_FAILED)
					munmap(p, size);
				ok = false;
				break;
			}
			a->half[i] = (struct half){ at, at, at + size };
		}
		if (ok)
			return true;
		if (a->half[0].first)
			munmap((void *)a->half[0].first, size);
		a->half[0].first = 0;
	}
	return false;
}

static bool map_way(struct heap_arena *a)
{
	a->way = pages_take((a->half[0].limit - a->half[0].first) / 4);
	return a->way;
}

static struct block_header *allocation_header(const void *p)
{
	return (struct block_header *)((uintptr_t)p - sizeof(struct block_header));
}

static void header_write(u64 at, u64 size, unsigned owner, unsigned flags, u32 nth)
{
	struct block_header *h = (struct block_header *)at;

	h->size = (u32)size;
	h->owner = owner & (THREADS_MAX - 1);
	h->freer = 0;
	h->flags = flags & 63;
	h->magic = HEADER_MAGIC;
	h->nth = nth;
	h->seal = seal_of(h);
}

static u64 round_to_alignment(u64 n, u64 alignment)
{
	return (n + alignment - 1) & -alignment;
}

static u64 header_span(const struct block_header *h)
{
	if (h->flags & HEADER_FILLER)
		return sizeof(*h) + h->size;
	return sizeof(*h) + round_to_alignment(h->size, HEAP_ALIGNMENT) + REDZONE;
}

/* Note the distance to the header at `at` for each 16 bytes of [at, end). */
static void note_way(const struct heap_arena *a, u64 at, u64 end)
{
	u32 *way = a->way + (at - a->half[0].first) / HEAP_ALIGNMENT;

	for (u32 i = 0; i < (end - at) / HEAP_ALIGNMENT; i++)
		way[i] = i + 1;
}

static __attribute__((noinline)) void arena_use(struct heap_arena *a, unsigned thread)
{
	a->used = true;
	used[nused++] = (u16)thread;
}

static __attribute__((noinline)) void *arena_full(struct heap_arena *a, size_t size)
{
	coverage_note(
		"an allocation of %zu bytes failed: a thread has 2 GiB for blocks up to 1 MiB "
		"and 2 GiB for larger ones",
		size);
	return NULL;
}

static __attribute__((noinline)) void *arena_none(size_t size)
{
	coverage_note(
		"an allocation of %zu bytes failed: no memory for the thread's blocks (ulimit -v?)",
		size);
	return NULL;
}

/*
 * Not memset(): for the few bytes of most blocks the call costs more than the work, and the
 * program's memset() may be one of ours. Fills up to the next multiple of 16, which is padding.
 */
static inline void fill_block(u64 at, bool zero, size_t size)
{
	typedef u64 chunk __attribute__((vector_size(16), aligned(16)));
	const chunk step = (chunk){} + 16 * FRESH_STEP, top = (chunk){} + FRESH_TOP;
	chunk c = {at * FRESH_STEP, (at + 8) * FRESH_STEP};

	if (unlikely(size > 512) && zero) {
		bytes_fill((void *)at, 0, size);
		return;
	}
	for (u64 end = at + size; at < end; at += sizeof(c), c += step) {
		*(chunk *)at = zero ? (chunk){} : (c >> FRESH_SHIFT | top);
		__asm__ volatile(""); /* or the compiler turns the loop into a call of memset() */
	}
}

u32 arena_blocks(unsigned thread)
{
	return arenas[thread].count;
}

void *arena_alloc(unsigned thread, size_t size, size_t alignment, bool zero)
{
	struct heap_arena *a = &arenas[thread];
	struct half *half = &a->half[size > BIG];
	u64 at, end;

	if (unlikely(!a->used)) {
		if ((!a->half[0].first && !arena_map(a, thread)) ||
			(watching && !a->way && !map_way(a)))
			return arena_none(size);
		arena_use(a, thread);
	}
	at = half->next + sizeof(struct block_header);
	if (unlikely(alignment > HEAP_ALIGNMENT)) {
		u64 aligned = round_to_alignment(at, alignment);

		/* The gap is a multiple of 16, so the filler's header fits. */
		if (aligned != at && aligned < half->limit)
			header_write(half->next, aligned - at - sizeof(struct block_header), thread,
				HEADER_FILLER, 0);
		at = aligned;
	}
	end = at + round_to_alignment(size, HEAP_ALIGNMENT) + REDZONE;
	if (unlikely(size >= HALF || alignment >= HALF || end > half->limit))
		return arena_full(a, size);
	header_write(at - sizeof(struct block_header), size, thread, 0, ++a->count);
	if (watching && size <= BIG) {
		if (unlikely(alignment > HEAP_ALIGNMENT))
			note_way(a, half->next, at - sizeof(struct block_header));
		note_way(a, at - sizeof(struct block_header), end);
	}
	half->next = end;
	if (likely(size <= BIG))
		fill_block(at, zero, size);
	INVARIANT(blocks_check_new(thread, (void *)at, size));
	return (void *)at;
}

/* Release the pages that lie wholly inside [start, end): they become zero. */
static void release_pages(u64 start, u64 end)
{
	start = round_to_alignment(start, 4096);
	end &= ~(u64)4095;
	if (start < end)
		madvise((void *)start, end - start, MADV_DONTNEED);
}

static struct heap_arena *arena_of(const void *p)
{
	return &arenas[((u64)(uintptr_t)p - ARENA_BASE) / ARENA_SIZE];
}

static struct half *half_of(const void *p)
{
	return &arena_of(p)->half[((u64)(uintptr_t)p - ARENA_BASE) / HALF % 2];
}

static bool header_ok(const struct block_header *h)
{
	return h->magic == HEADER_MAGIC && h->seal == seal_of(h);
}

enum arena_verdict arena_check(const void *p, size_t *size)
{
	const struct half *half = half_of(p);
	const struct block_header *h = allocation_header(p);
	struct heap_block b;

	if ((u64)(uintptr_t)p < half->first + sizeof(*h) || (u64)(uintptr_t)p >= half->next)
		return ARENA_INSIDE;
	if ((uintptr_t)p % HEAP_ALIGNMENT || !header_ok(h) || h->flags & HEADER_FILLER)
		return arena_find(p, &b) && b.start == (u64)(uintptr_t)p ? ARENA_BROKEN
									 : ARENA_INSIDE;
	*size = h->size;
	return h->flags & HEADER_FREED ? ARENA_FREED : ARENA_OK;
}

void arena_free(void *p, unsigned freer, bool early)
{
	struct block_header *h = allocation_header(p);
	u64 size =
		h->size; /* before the flag is written, as a wider load would have to wait */

	h->flags |= HEADER_FREED | (early ? HEADER_EARLY : 0);
	h->freer = freer & (THREADS_MAX - 1);
	if (unlikely(size > BIG))
		release_pages((u64)(uintptr_t)p, (u64)(uintptr_t)p + size);
	INVARIANT(blocks_check_freed(p));
}

void arena_again(void *p, unsigned thread)
{
	struct block_header *h = allocation_header(p);

	h->flags = 0;
	h->owner = thread & (THREADS_MAX - 1);
	h->nth = ++arenas[thread].count;
	INVARIANT(blocks_check_again(p, thread));
}

void arenas_reset(void)
{
	INVARIANT(blocks_check_end());
	while (nused) {
		struct heap_arena *a = &arenas[used[--nused]];

		if (unlikely(a->half[0].next - a->half[0].first > KEPT))
			release_pages(a->half[0].first + KEPT, a->half[0].next);
		if (unlikely(a->half[1].next != a->half[1].first))
			release_pages(a->half[1].first, round_to_alignment(a->half[1].next, 4096));
		a->half[0].next = a->half[0].first;
		a->half[1].next = a->half[1].first;
		a->count = 0;
		a->large = 0;
		a->used = false;
	}
}

void arenas_forget(void)
{
	arenas_reset();
	for (unsigned i = 0; i < THREADS_MAX; i++) {
		const struct half *small = &arenas[i].half[0];

		if (!small->first)
			continue;
		release_pages(small->first, small->first + KEPT);
		if (arenas[i].way)
			madvise(arenas[i].way, (small->limit - small->first) / 4, MADV_DONTNEED);
	}
}

void arenas_watch(bool on)
{
	watching = on;
}

/* The header of the large block near addr, or NULL. */
static const struct block_header *large_header(struct heap_arena *a, u64 addr)
{
	const struct half *half = &a->half[1];
	u64 at = a->large && a->large <= addr ? a->large : half->first;

	for (; at < half->next; at += header_span((const struct block_header *)at)) {
		if (!header_ok((const struct block_header *)at))
			return NULL;
		if (addr - at < header_span((const struct block_header *)at)) {
			a->large = at;
			return (const struct block_header *)at;
		}
	}
	return NULL;
}

static bool view_header(u64 addr, struct arena_view *v)
{
	struct heap_arena *a = &arenas[(addr - ARENA_BASE) / ARENA_SIZE];
	const struct half *half = &a->half[addr / HALF % 2];
	const struct block_header *h;

	if (unlikely(addr < half->first || addr >= half->next))
		return false;
	if (likely(half == &a->half[0])) {
		u64 i = (addr - half->first) / HEAP_ALIGNMENT;

		h = (const struct block_header *)(half->first +
						  (i + 1 - a->way[i]) * HEAP_ALIGNMENT);
	} else {
		h = large_header(a, addr);
	}
	if (!h || h->flags & HEADER_FILLER)
		return false;
	*v = (struct arena_view){
		.start = (u64)(uintptr_t)(h + 1),
		.size = h->size,
		.nth = h->nth,
		.thread = h->owner,
		.freer = h->freer,
		.freed = h->flags & HEADER_FREED,
		.early = h->flags & HEADER_EARLY,
	};
	return true;
}

bool arena_view(u64 addr, struct arena_view *v)
{
	bool any = view_header(addr, v);

	INVARIANT(blocks_check_view(addr, any ? v : NULL));
	return any;
}

/* A broken header ends the walk: the blocks behind it are unknown. */
bool arena_find(const void *p, struct heap_block *b)
{
	const struct half *half = half_of(p);
	u64 a = (u64)(uintptr_t)p;
	const struct block_header *h;

	for (u64 at = half->first; at < half->next; at += header_span(h)) {
		u64 start = at + sizeof(*h);

		h = (const struct block_header *)at;
		if (!header_ok(h)) {
			*b = (struct heap_block){ .start = start };
			return a == start;
		}
		if (a < at + header_span(h)) {
			*b = (struct heap_block){ .start = start, .size = h->size, .nth = h->nth,
				.freed = h->flags & HEADER_FREED,
				.thread = h->owner };
			return !(h->flags & HEADER_FILLER) && a >= start && a - start <= h->size;
		}
	}
	return false;
}

static u32 list_half(const struct half *half, u16 thread, struct heap_block *to, u32 max)
{
	const struct block_header *h;
	u32 n = 0;

	for (u64 at = half->first; at < half->next && n < max; at += header_span(h)) {
		h = (const struct block_header *)at;
		if (!header_ok(h))
			break;
		if (!(h->flags & (HEADER_FREED | HEADER_FILLER)))
			to[n++] = (struct heap_block){ .start = at + sizeof(*h), .size = h->size,
				.nth = h->nth, .thread = thread };
	}
	return n;
}

void arenas_each(void (*see)(u64 start, u64 end))
{
	for (u32 i = 0; i < nused; i++)
		for (u32 k = 0; k < 2; k++)
			see(arenas[used[i]].half[k].first, arenas[used[i]].half[k].next);
}

u32 arenas_list(struct heap_block *to, u32 max)
{
	u32 n = 0;

	for (u16 t = 0; t < THREADS_MAX; t++)
		for (u32 i = 0; arenas[t].used && i < 2; i++)
			n += list_half(&arenas[t].half[i], t, to + n, max - n);
	return n;
}
