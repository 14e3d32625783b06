/* SPDX-License-Identifier: ISC */
/*
 * snapshot.c - save the program's memory once, put it back before every execution.
 *
 * Idea.   Most programs under test have a few kilobytes of variables: copying them all costs less
 *         than finding out which changed. In a large range only a few pages change, and mostly the
 *         same ones in every execution: its pages are protected, the fault of a first write saves
 *         the page and makes it one of those that are copied ever after. So after the first
 *         executions there are neither faults nor system calls, and nothing but what the program
 *         really writes is copied.
 * State.  `range` holds what is saved, sorted, without overlaps. Each has its copy at the same
 *         offset in `copies`, an area that is only reserved: a protected page has no copy yet.
 *         `piece` lists what a restore copies; it is made anew when a page has become hot.
 * Always. (1) ranges are sorted and disjoint; (2) a unit of a range is either protected, and its
 *         memory is as it was, or its copy is valid and some piece covers it; (3) pieces are sorted
 *         and no two could be one.
 * Not.    soft-dirty bits and userfaultfd: a system call for every execution.
 */
#include "machine/snapshot.h"
#include "machine/bytes.h"
#include "machine/stop.h"
#include "machine/tls.h"

#include <stdlib.h>
#include <sys/mman.h>

#define PAGE	     4096u
#define RANGES_MAX   (1u << 20)
#define PROTECT_FROM (32u << 10) /* a range of that size is watched by pages */
#define COPY_AT_MOST (64u << 10) /* in all; above, ranges of PAGE_FROM bytes are watched, too */
#define PAGE_FROM    (8u << 10)
#define UNITS_MAX    16384u /* of one range: each may become a mapping of its own, of 65530 */

struct range {
	u64 start, end;
	u64 copy;	/* address of its copy */
	u64 low, high;	/* the pages that are watched; may reach beyond the range; equal: none */
	u64 unit;	/* is watched in units of so many bytes */
	u32 first_unit; /* in `hot` */
};

struct piece {
	u64 to, from, size;
};

static struct {
	bool taken;
	bool stale; /* a unit has become hot, `piece` must be made anew */
	u32 nranges, npieces, nunits;
	u64 copies_size;
	u64 copies;
	struct range *range; /* [RANGES_MAX], reserved */
	struct piece *piece; /* reserved: at most one a range and one a unit */
	u8 *hot;	     /* [nunits], reserved */
	u64 piece_room, hot_room;
} snap;

static void *reserve(u64 size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		fatal("out of memory: cannot save %lu bytes of the program", (unsigned long)size);
	return p;
}

static u64 page_down(u64 a)
{
	return a & ~(u64)(PAGE - 1);
}

static u64 page_up(u64 a)
{
	return (a + PAGE - 1) & ~(u64)(PAGE - 1);
}

void snapshot_add(void *start, size_t size)
{
	if (!snap.range)
		snap.range = reserve(RANGES_MAX * sizeof(*snap.range));
	if (!size)
		return;
	if (snap.nranges == RANGES_MAX)
		fatal("limit: the program has more than %u pieces of memory to save", RANGES_MAX);
	snap.range[snap.nranges++] = (struct range){ (u64)(uintptr_t)start,
		(u64)(uintptr_t)start + size };
}

/* --- what to save ------------------------------------------------------------------------------ */

/* The runtime's own variables are in sections of their own (Makefile); the linker gives the names. */
#define OWN_SECTION(name)                                                                          \
	extern char name##_start[] __asm__("__start_" #name) __attribute__((weak));                \
	extern char name##_stop[] __asm__("__stop_" #name) __attribute__((weak));
OWN_SECTION(heddle_data)
OWN_SECTION(heddle_data_rel)
OWN_SECTION(heddle_data_loc)
OWN_SECTION(heddle_bss)

static const struct {
	const char *start, *stop;
} own[] = {
	{ heddle_data_start, heddle_data_stop },
	{ heddle_data_rel_start, heddle_data_rel_stop },
	{ heddle_data_loc_start, heddle_data_loc_stop },
	{ heddle_bss_start, heddle_bss_stop },
};

/* Add [start, end) without what overlaps holes i and later. */
static void add_without(struct module_range r, const struct module_range *hole, unsigned n)
{
	for (; n; hole++, n--) {
		if (hole->start >= r.end || hole->end <= r.start)
			continue;
		if (hole->start > r.start)
			add_without((struct module_range){ r.start, hole->start }, hole + 1, n - 1);
		if (hole->end >= r.end)
			return;
		r.start = hole->end;
	}
	snapshot_add((void *)r.start, r.end - r.start);
}

static void add_module(const struct module *m)
{
	struct module_range hole[array_size(own) + 1];

	for (unsigned i = 0; i < array_size(own); i++)
		hole[i] = (struct module_range){ (u64)(uintptr_t)own[i].start,
			(u64)(uintptr_t)own[i].stop };
	hole[array_size(own)] = m->got_plt;
	for (unsigned i = 0; i < m->nwritable; i++)
		if (m->writable[i].start < m->writable[i].end)
			add_without(m->writable[i], hole, array_size(hole));
}

static int compare_ranges(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Sort, and make one of what touches. */
static void merge_ranges(void)
{
	u32 n = 0;

	qsort(snap.range, snap.nranges, sizeof(*snap.range), compare_ranges);
	for (u32 i = 0; i < snap.nranges; i++) {
		struct range *last = n ? &snap.range[n - 1] : NULL;

		if (last && last->end >= snap.range[i].start) {
			if (last->end < snap.range[i].end)
				last->end = snap.range[i].end;
		} else {
			snap.range[n++] = snap.range[i];
		}
	}
	snap.nranges = n;
}

/*
 * The pages of a range that are watched. A library's own variables are never passed to a system
 * call, which would fail on a protected page, so of these even a few are, and also the pages at
 * both ends, if they hold nothing else that is saved.
 */
static void watch(struct range *r, u64 at_least)
{
	const struct module *m = module_find(r->start);
	bool library = m && !m->is_program && !m->instrumented;
	u64 before = r > snap.range ? r[-1].end : 0;
	u64 after = r + 1 < snap.range + snap.nranges ? r[1].start : ~0ull;

	r->low = page_up(r->start);
	r->high = page_down(r->end);
	if (library && page_down(r->start) >= before)
		r->low = page_down(r->start);
	if (library && page_up(r->end) <= after)
		r->high = page_up(r->end);
	if (r->low >= r->high || (!library && r->end - r->start < at_least))
		r->low = r->high = 0;
	r->unit = page_up((r->high - r->low + UNITS_MAX - 1) / UNITS_MAX);
	r->first_unit = snap.nunits;
	if (r->unit)
		snap.nunits += (u32)((r->high - r->low + r->unit - 1) / r->unit);
}

/* Decide which ranges are watched by pages. */
static void choose_watched(void)
{
	u64 copied = 0;

	for (u32 i = 0; i < snap.nranges; i++)
		if (snap.range[i].end - snap.range[i].start < PROTECT_FROM)
			copied += snap.range[i].end - snap.range[i].start;
	snap.nunits = 0;
	for (u32 i = 0; i < snap.nranges; i++)
		watch(&snap.range[i], copied > COPY_AT_MOST ? PAGE_FROM : PROTECT_FROM);
}

/* --- watching ---------------------------------------------------------------------------------- */

static u64 unit_end(const struct range *r, u64 start)
{
	return start + r->unit < r->high ? start + r->unit : r->high;
}

static void save_part(const struct range *r, u64 start, u64 end)
{
	start = start < r->start ? r->start : start;
	end = end > r->end ? r->end : end;
	if (start < end)
		bytes_copy((void *)(r->copy + (start - r->start)), (const void *)start,
			end - start);
}

/* The range that has a, or watches its page. */
static struct range *find_range(u64 a)
{
	u32 low = 0, high = snap.nranges;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (snap.range[middle].end <= a && snap.range[middle].high <= a)
			low = middle + 1;
		else
			high = middle;
	}
	return low < snap.nranges ? &snap.range[low] : NULL;
}

/* Save the unit that holds a and let it be written. False: it is not watched, or no longer. */
static bool heat(struct range *r, u64 a)
{
	u64 start, n;

	if (a < r->low || a >= r->high)
		return false;
	n = (a - r->low) / r->unit;
	if (snap.hot[r->first_unit + n])
		return false;
	start = r->low + n * r->unit;
	save_part(r, start, unit_end(r, start));
	if (mprotect((void *)start, unit_end(r, start) - start, PROT_READ | PROT_WRITE))
		fatal("mprotect failed: the program has too many mappings");
	snap.hot[r->first_unit + n] = 1;
	snap.stale = true;
	return true;
}

bool snapshot_fault(void *address)
{
	u64 a = (u64)(uintptr_t)address;
	struct range *r = snap.taken ? find_range(a) : NULL;

	return r && heat(r, a);
}

void snapshot_touch(void *start, size_t size)
{
	u64 a = (u64)(uintptr_t)start, end = a + size;

	if (!snap.taken || !snap.nunits || !size)
		return;
	for (struct range *r = snap.range; r < snap.range + snap.nranges; r++) {
		u64 from = a > r->low ? a : r->low;

		if (!r->unit)
			continue;

		for (from -= (from - r->low) % r->unit; from < end && from < r->high; from += r->unit)
			heat(r, from);
	}
}

/* --- restoring --------------------------------------------------------------------------------- */

static void add_piece(const struct range *r, u64 start, u64 end)
{
	struct piece *last = snap.npieces ? &snap.piece[snap.npieces - 1] : NULL;
	u64 from;

	start = start < r->start ? r->start : start;
	end = end > r->end ? r->end : end;
	if (start >= end)
		return;
	from = r->copy + (start - r->start);
	if (last && last->to + last->size == start && last->from + last->size == from)
		last->size += end - start;
	else
		snap.piece[snap.npieces++] = (struct piece){ start, from, end - start };
}

static __attribute__((noinline)) void make_pieces(void)
{
	snap.stale = false;
	snap.npieces = 0;
	for (struct range *r = snap.range; r < snap.range + snap.nranges; r++) {
		u32 n = r->first_unit;

		if (!r->unit) {
			add_piece(r, r->start, r->end);
			continue;
		}
		add_piece(r, r->start, r->low);
		for (u64 a = r->low; a < r->high; a += r->unit, n++)
			if (snap.hot[n])
				add_piece(r, a, unit_end(r, a));
		add_piece(r, r->high, r->end);
	}
}

void snapshot_take(void)
{
	u64 total = 0;

	BUG_ON(snap.taken);
	modules_refresh();
	tls_add_to_snapshot();
	for (unsigned i = 0; i < modules_count(); i++)
		if (!module_at(i)->is_libc)
			add_module(module_at(i));
	merge_ranges();
	choose_watched();
	for (u32 i = 0; i < snap.nranges; i++)
		total += (snap.range[i].end - snap.range[i].start + 63) & ~63ull;
	snap.copies_size = total + PAGE;
	snap.piece_room = (snap.nranges * 2 + snap.nunits + 1) * sizeof(*snap.piece);
	snap.hot_room = snap.nunits + 1;
	snap.copies = (u64)(uintptr_t)reserve(snap.copies_size);
	snap.piece = reserve(snap.piece_room);
	snap.hot = reserve(snap.hot_room);
	total = snap.copies;
	for (struct range *r = snap.range; r < snap.range + snap.nranges; r++) {
		r->copy = total;
		total += (r->end - r->start + 63) & ~63ull;
		save_part(r, r->start, r->unit ? r->low : r->end);
		if (!r->unit)
			continue;
		save_part(r, r->high, r->end);
		if (mprotect((void *)r->low, r->high - r->low, PROT_READ))
			fatal("mprotect failed: cannot watch the program's memory");
	}
	make_pieces();
	snap.taken = true;
}

void snapshot_restore(void)
{
	if (unlikely(snap.stale))
		make_pieces();
	for (struct piece *p = snap.piece, *end = p + snap.npieces; p < end; p++)
		bytes_copy((void *)p->to, (const void *)p->from, p->size);
}

void snapshot_drop(void)
{
	BUG_ON(!snap.taken);
	snapshot_restore();
	for (struct range *r = snap.range; r < snap.range + snap.nranges; r++)
		if (r->unit &&
			mprotect((void *)r->low, r->high - r->low, PROT_READ | PROT_WRITE))
			fatal("mprotect failed: cannot release the program's memory");
	munmap((void *)snap.copies, snap.copies_size);
	munmap(snap.piece, snap.piece_room);
	munmap(snap.hot, snap.hot_room);
	snap.taken = false;
	snap.nranges = snap.npieces = snap.nunits = 0;
}

struct snapshot_cost snapshot_cost(void)
{
	struct snapshot_cost c = { .pieces = snap.npieces };

	for (u32 i = 0; i < snap.npieces; i++)
		c.bytes += snap.piece[i].size;
	for (u32 i = 0; i < snap.nranges; i++)
		c.protected_bytes += snap.range[i].end - snap.range[i].start;
	c.protected_bytes -= c.bytes;
	return c;
}
