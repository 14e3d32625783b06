/* SPDX-License-Identifier: ISC */
/*
 * snapshot.c - save the program's memory once, restore it before every execution.
 *
 * Idea.   Most programs under test have a few kilobytes of variables: copying them all costs less
 *         than finding out which changed. In a large range only a few pages change, and mostly the
 *         same ones in every execution: its pages are protected; the fault of a first write saves
 *         the page, which is copied from then on. So after the first executions there are neither
 *         faults nor system calls, and only pages that the program writes are copied.
 * Heap.   Blocks of the heap are watched together, by their pages: the rest of these pages belongs
 *         to libc, which may write it (one more fault), but must not pass it to the kernel for
 *         writing. So pages with libc's own blocks are avoided, and its later blocks are touched
 *         (heap_native.c).
 * State.  `range` lists the saved memory: sorted, disjoint; each range has its copy in `copies`, an
 *         area that is only reserved. `region` lists the watched memory, in units of pages; a unit
 *         is protected, or hot. `piece` lists the memory that a restore copies; it is rebuilt when
 *         a unit becomes hot.
 * Always. (1) ranges, and regions, are sorted and disjoint; (2) a unit of a region is either
 *         protected, with unchanged memory, or the parts of ranges in it have valid copies and are
 *         in `piece`; (3) parts of ranges outside of all regions are in `piece`.
 * Not.    soft-dirty bits and userfaultfd: a system call for every execution.
 */
#include "process/snapshot.h"
#include "process/pages.h"
#include "process/bytes.h"
#include "process/stop.h"
#include "process/tls.h"

#include <stdlib.h>
#include <sys/mman.h>

#define RANGES_MAX   (1u << 22)
#define WATCH_FROM   TINY(PAGE, 32u << 10) /* a range of that size is watched */
#define COPY_AT_MOST TINY(PAGE, 64u << 10) /* of ranges below that, in all; else: */
#define WATCH_LESS   TINY(PAGE, 8u << 10)
#define HEAP_BYTES   TINY(1, 16u << 10) /* the heap is watched from this size on */
#define HEAP_BLOCKS  TINY(1, 64)	 /* or so many blocks */
#define UNITS_MAX    TINY(3u, 16384u) /* of one region: each may become a mapping, of 65530 */

enum what { SAVED, HEAP, AVOIDED };

struct snapshot_range {
	u64 start, end;
	u64 copy; /* address of its copy */
	enum what what;
};

struct region {
	u64 low, high;	/* whole pages */
	u64 unit;	/* is watched in units of so many bytes */
	u32 first_unit; /* in `hot` */
};

struct piece {
	u64 to, from, size;
};

static struct {
	bool taken;
	bool stale; /* a unit has become hot: rebuild `piece` */
	u32 nranges, nregions, npieces, nunits;
	u64 copies, copies_size;
	struct snapshot_range *range;   /* [RANGES_MAX], reserved */
	struct region *region; /* reserved: at most one a range */
	struct piece *piece;   /* reserved: at most three a range and one a unit */
	u8 *hot;	       /* [nunits], reserved */
	u64 region_room, piece_room, hot_room;
} snap;

static void *reserve(u64 size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		fatal("out of memory: cannot reserve %lu KiB to save the program's memory (ulimit "
		      "-v?)",
			(unsigned long)(size >> 10));
	return p;
}

static void add_range(void *start, size_t size, enum what what)
{
	if (!snap.range)
		snap.range = reserve(RANGES_MAX * sizeof(*snap.range));
	if (!size)
		return;
	if (snap.nranges == RANGES_MAX)
		fatal("limit: the program has more than %u regions of memory to save", RANGES_MAX);
	snap.range[snap.nranges++] = (struct snapshot_range){ .start = (u64)(uintptr_t)start,
		.end = (u64)(uintptr_t)start + size, .what = what };
}

void snapshot_add(void *start, size_t size)
{
	add_range(start, size, SAVED);
}

void snapshot_add_block(void *start, size_t size)
{
	add_range(start, size, HEAP);
}

void snapshot_avoid(void *start, size_t size)
{
	add_range(start, size, AVOIDED);
}

/* --- memory to save ----------------------------------------------------------------------- */

/* The runtime's own variables are in sections of their own (Makefile); the linker gives the
 * names. */
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

/* Add [start, end), less holes i and later. */
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
	const struct snapshot_range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Sort, and merge adjacent ranges. Memory to avoid is kept apart: it only affects the choice of
 * regions. */
static void merge_ranges(void)
{
	struct snapshot_range *last = NULL;
	u32 n = 0;

	qsort(snap.range, snap.nranges, sizeof(*snap.range), compare_ranges);
	for (u32 i = 0; i < snap.nranges; i++) {
		struct snapshot_range r = snap.range[i];

		if (r.what == AVOIDED || !last || last->end < r.start) {
			snap.range[n] = r;
			last = r.what == AVOIDED ? last : &snap.range[n];
			n++;
			continue;
		}
		last->end = last->end > r.end ? last->end : r.end;
		last->what = r.what == HEAP ? HEAP : last->what;
	}
	snap.nranges = n;
}

/* --- memory to watch ---------------------------------------------------------------------- */

static void add_region(u64 low, u64 high)
{
	struct region *g = &snap.region[snap.nregions];

	if (snap.nregions && low < g[-1].high)
		low = g[-1].high;
	if (low >= high)
		return;
	*g = (struct region){ low, high, page_up((high - low + UNITS_MAX - 1) / UNITS_MAX),
		snap.nunits };
	snap.nunits += (u32)((high - low + g->unit - 1) / g->unit);
	snap.nregions++;
}

/* A run of pages with heap blocks, so far; pages below `barred` must not be watched. */
struct run {
	u64 low, high, barred;
};

static void end_run(struct run *run)
{
	add_region(run->low, run->high);
	run->low = run->high = 0;
}

static void watch_block(struct run *run, const struct snapshot_range *r)
{
	u64 low = page_down(r->start), high = page_up(r->end);

	if (r->what == AVOIDED) {
		run->high = run->high > low ? low : run->high;
		run->barred = high > run->barred ? high : run->barred;
		return;
	}
	low = low < run->barred ? run->barred : low;
	if (low > run->high) {
		end_run(run);
		run->low = low;
		run->high = high;
	} else if (high > run->high) {
		run->high = high;
	}
}

/*
 * A range that is not a heap block. A library's own variables are never passed to a system call,
 * which would fail on a protected page; so even small ranges of these are watched, and also the
 * pages at both ends, if they hold no other saved memory.
 */
static void watch_range(struct run *run, const struct snapshot_range *r, u64 at_least)
{
	const struct module *m = module_find(r->start);
	bool library = m && !m->is_program && !m->instrumented;
	u64 before = r > snap.range ? r[-1].end : 0;
	u64 after = r + 1 < snap.range + snap.nranges ? r[1].start : ~0ull;
	u64 low = page_up(r->start), high = page_down(r->end);

	if (library && page_down(r->start) >= before)
		low = page_down(r->start);
	if (library && page_up(r->end) <= after)
		high = page_up(r->end);
	if (low >= high || (!library && r->end - r->start < at_least))
		return;
	end_run(run);
	add_region(low, high);
}

static void choose_regions(void)
{
	const struct snapshot_range *end = snap.range + snap.nranges, *r;
	u64 copied = 0, heap = 0, blocks = 0, at_least;
	struct run run = { 0 };

	for (r = snap.range; r < end; r++) {
		u64 size = r->end - r->start;

		copied += r->what == SAVED && size < WATCH_FROM ? size : 0;
		heap += r->what == HEAP ? size : 0;
		blocks += r->what == HEAP;
	}
	at_least = copied > COPY_AT_MOST ? WATCH_LESS : WATCH_FROM;
	snap.nunits = snap.nregions = 0;
	for (r = snap.range; r < end; r++)
		if (r->what == SAVED)
			watch_range(&run, r, at_least);
		else if (heap >= HEAP_BYTES || blocks >= HEAP_BLOCKS)
			watch_block(&run, r);
	end_run(&run);
}

/* The ranges to avoid only affected the choice of regions. */
static void drop_avoided(void)
{
	u32 n = 0;

	for (u32 i = 0; i < snap.nranges; i++)
		if (snap.range[i].what != AVOIDED)
			snap.range[n++] = snap.range[i];
	snap.nranges = n;
}

void snapshot_each(void (*see)(u64 start, u64 end))
{
	for (u32 i = 0; i < snap.nranges; i++)
		see(snap.range[i].start, snap.range[i].end);
}

/* --- watching --------------------------------------------------------------------------------- */

static u64 unit_end(const struct region *g, u64 start)
{
	return start + g->unit < g->high ? start + g->unit : g->high;
}

static u64 max(u64 a, u64 b)
{
	return a > b ? a : b;
}

static u64 min(u64 a, u64 b)
{
	return a < b ? a : b;
}

/* The index of the first of n structs of `size` bytes that ends after a; n: none. ends: the end of
 * the first struct. */
static u32 find_end(const u64 *ends, u32 n, size_t size, u64 a)
{
	u32 low = 0, high = n;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (ends[middle * (size / sizeof *ends)] <= a)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first range that ends behind a; one behind the last if there is none. */
static struct snapshot_range *find_snapshot_range(u64 a)
{
	return snap.range + find_end(&snap.range->end, snap.nranges, sizeof *snap.range, a);
}

/* Likewise the first region. */
static struct region *find_region(u64 a)
{
	return snap.region + find_end(&snap.region->high, snap.nregions, sizeof *snap.region, a);
}

/* Copy the parts of ranges in [start, end). */
static void save_part(u64 start, u64 end)
{
	const struct snapshot_range *last = snap.range + snap.nranges;

	for (const struct snapshot_range *r = find_snapshot_range(start);
		r < last && r->start < end; r++) {
		u64 from = max(r->start, start), to = min(r->end, end);

		bytes_copy((void *)(r->copy + (from - r->start)), (const void *)from, to - from);
	}
}

/* Every protected piece of memory may be a mapping, and there can be too many: unprotect all. */
static void heat_all(struct region *g)
{
	u32 n = g->first_unit;

	for (u64 a = g->low; a < g->high; a += g->unit, n++) {
		if (!snap.hot[n])
			save_part(a, unit_end(g, a));
		snap.hot[n] = 1;
	}
	if (mprotect((void *)g->low, g->high - g->low, PROT_READ | PROT_WRITE))
		fatal("mprotect failed: the program has too many mappings");
}

u32 snapshot_heated;

/* Save the unit that holds a and let it be written. False: it is not watched, or no longer. */
static bool heat(struct region *g, u64 a)
{
	u64 n = (a - g->low) / g->unit, start = g->low + n * g->unit;

	if (snap.hot[g->first_unit + n])
		return false;
	save_part(start, unit_end(g, start));
	snap.hot[g->first_unit + n] = 1;
	snap.stale = true;
	snapshot_heated++;
	if (mprotect((void *)start, unit_end(g, start) - start, PROT_READ | PROT_WRITE))
		heat_all(g);
	return true;
}

bool snapshot_fault(void *address)
{
	u64 a = (u64)(uintptr_t)address;
	struct region *g;

	if (!snap.taken)
		return false;
	g = find_region(a);
	return g < snap.region + snap.nregions && a >= g->low && heat(g, a);
}

void snapshot_touch(void *start, size_t size)
{
	u64 a = (u64)(uintptr_t)start, end = a + size;

	if (!snap.taken || !snap.nregions || !size)
		return;
	for (struct region *g = find_region(a); g < snap.region + snap.nregions && g->low < end;
		g++)
		for (u64 at = max(a, g->low); at < min(end, g->high); at = page_down(at) + PAGE)
			heat(g, at);
}

/* --- restoring -------------------------------------------------------------------------------- */

static void add_piece(const struct snapshot_range *r, u64 start, u64 end)
{
	struct piece *last = snap.npieces ? &snap.piece[snap.npieces - 1] : NULL;
	u64 from = r->copy + (start - r->start);

	if (start >= end)
		return;
	if (last && last->to + last->size == start && last->from + last->size == from)
		last->size += end - start;
	else
		snap.piece[snap.npieces++] = (struct piece){ start, from, end - start };
}

/* Add the parts of a range in hot units and outside of all regions; g is the first region that may
 * matter, the answer that for the next range. */
static const struct region *add_range_pieces(const struct snapshot_range *r, const struct region *g)
{
	const struct region *last = snap.region + snap.nregions;
	u64 at = r->start;

	while (g < last && g->high <= at)
		g++;
	for (; g < last && g->low < r->end; g++) {
		add_piece(r, at, g->low);
		at = max(at, g->low);
		while (at < min(r->end, g->high)) {
			u64 n = (at - g->low) / g->unit;
			u64 end = min(unit_end(g, g->low + n * g->unit), r->end);

			if (snap.hot[g->first_unit + n])
				add_piece(r, at, end);
			at = end;
		}
		if (at == r->end)
			return g;
	}
	add_piece(r, at, r->end);
	return g;
}

static __attribute__((noinline)) void make_pieces(void)
{
	const struct region *g = snap.region;

	snap.stale = false;
	snap.npieces = 0;
	for (struct snapshot_range *r = snap.range; r < snap.range + snap.nranges; r++)
		g = add_range_pieces(r, g);
}

/* Reserve the copies, and save at once the memory that is not watched. */
static void save(void)
{
	u64 total = 0;

	for (u32 i = 0; i < snap.nranges; i++)
		total += (snap.range[i].end - snap.range[i].start + 15) & ~15ull;
	snap.copies_size = total + PAGE;
	snap.piece_room = (snap.nranges * 3ull + snap.nunits + 1) * sizeof(*snap.piece);
	snap.hot_room = snap.nunits + 1;
	snap.copies = (u64)(uintptr_t)reserve(snap.copies_size);
	snap.piece = reserve(snap.piece_room);
	snap.hot = reserve(snap.hot_room);
	total = snap.copies;
	for (struct snapshot_range *r = snap.range; r < snap.range + snap.nranges; r++) {
		r->copy = total;
		total += (r->end - r->start + 15) & ~15ull;
	}
	make_pieces();
	for (struct piece *p = snap.piece, *end = p + snap.npieces; p < end; p++)
		bytes_copy((void *)p->from, (const void *)p->to, p->size);
}

static void protect(int protection)
{
	for (struct region *g = snap.region; g < snap.region + snap.nregions; g++)
		if (mprotect((void *)g->low, g->high - g->low, protection))
			fatal("mprotect failed: cannot watch the program's memory");
}

void snapshot_take(void)
{
	BUG_ON(snap.taken);
	modules_refresh();
	tls_add_to_snapshot();
	for (unsigned i = 0; i < modules_count(); i++)
		if (!module_at(i)->is_libc)
			add_module(module_at(i));
	merge_ranges();
	snap.region_room = (snap.nranges + 1) * sizeof(*snap.region);
	snap.region = reserve(snap.region_room);
	choose_regions();
	drop_avoided();
	save();
	INVARIANT(snapshot_check_taken());
	protect(PROT_READ);
	snap.taken = true;
}

void snapshot_each_written(void (*see)(u64 start, u64 end))
{
	if (unlikely(snap.stale))
		make_pieces();
	for (struct piece *p = snap.piece, *end = p + snap.npieces; p < end; p++)
		see(p->to, p->to + p->size);
}

void snapshot_each_copied(void (*see)(u64 start, u64 copy, u64 size))
{
	if (unlikely(snap.stale))
		make_pieces();
	for (struct piece *p = snap.piece, *end = p + snap.npieces; p < end; p++)
		see(p->to, p->from, p->size);
}

bool snapshot_is_changed(u64 start, u64 end)
{
	if (unlikely(snap.stale))
		make_pieces();
	for (struct piece *p = snap.piece, *last = p + snap.npieces; p < last; p++) {
		u64 from = max(p->to, start), to = min(p->to + p->size, end);

		if (from < to && !bytes_equal((const void *)from,
					 (const void *)(p->from + (from - p->to)), to - from))
			return true;
	}
	return false;
}

void snapshot_restore(void)
{
	if (unlikely(snap.stale))
		make_pieces();
	for (struct piece *p = snap.piece, *end = p + snap.npieces; p < end; p++)
		bytes_copy((void *)p->to, (const void *)p->from, p->size);
	INVARIANT(snapshot_check_restored());
}

void snapshot_forked(void)
{
	protect(PROT_READ | PROT_WRITE);
}

void snapshot_drop(void)
{
	BUG_ON(!snap.taken);
	snapshot_restore();
	protect(PROT_READ | PROT_WRITE);
	munmap((void *)snap.copies, snap.copies_size);
	munmap(snap.region, snap.region_room);
	munmap(snap.piece, snap.piece_room);
	munmap(snap.hot, snap.hot_room);
	snap.taken = false;
	snap.nranges = snap.nregions = snap.npieces = snap.nunits = 0;
}
