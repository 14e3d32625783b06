/* SPDX-License-Identifier: ISC */
/* sharing.c - see sharing.h. */
#include "graph/sharing.h"
#include "base/table.h"
#include "graph/tally.h"
#include "heap/heap.h"
#include "process/shared.h"
#include "process/bytes.h"

#include <sys/mman.h>

#define PAGE	 4096u
#define GRANULES (PAGE / 8)
#define PAGES	 (1u << 17) /* 512 MiB of memory that is accessed */
#define DETAILS	 (1u << 14) /* pages that are shared */
#define SHARED	 0xffff

struct sharing_granule {
	u16 owner;  /* slot + 1; 0 = untouched */
	u8 cut;	    /* bit i: a location begins at byte i */
	u8 used;    /* bit i: byte i belongs to a location */
	u8 atomic;  /* bit i: byte i belongs to an atomic location */
	u8 wide;    /* 1, 2: first, second half of an atomic location of 16 bytes */
	u8 fixed;   /* bit i: an atomic access begins or ends at byte i */
	u8 level;   /* its region's level; SHARING_FINE */
	bool split; /* half of 16-byte atomic accesses; others access its parts */
	u16 foreign; /* owner of writes by code that is not instrumented; of itself no sharing */
};

struct page {
	u64 number; /* address / PAGE; 0 = free */
	u16 owner;  /* of the whole page, while it has no detail */
	u16 foreign; /* likewise */
	u32 detail; /* index + 1 */
};

static struct page *pages; /* open addressing */
static u32 *entries; /* [PAGES / 2 + 1] those in use, in the order in which they were added */
static struct sharing_granule (*details)[GRANULES];
static struct {
	u32 pages, details;
	struct sharing_ranges ranges;
	bool regions, fine; /* there are regions; there are none any more */
	u16 changes;	    /* of levels */
} * count;

void sharing_clear(void)
{
	tally_clear();
	if (!pages || !entries || !details || !count) {
		pages = shared_pages(PAGES * sizeof *pages);
		entries = shared_pages((PAGES / 2 + 1) * sizeof *entries);
		details = shared_pages(DETAILS * sizeof *details);
		count = shared_pages(sizeof *count);
	} else {
		madvise(pages, PAGES * sizeof *pages, MADV_REMOVE);
		madvise(details, DETAILS * sizeof *details, MADV_REMOVE);
		count->pages = count->details = 0;
		count->ranges = (struct sharing_ranges){false, false};
		count->regions = count->fine = false;
	}
}

/* --- tried executions ------------------------------------------------------------------------ */

static struct page *kept_pages; /* of each of the first entries */
static struct sharing_granule (*kept_details)[GRANULES];
static u32 kept_npages, kept_ndetails;

void sharing_save(void)
{
	tally_save();
	if (!kept_pages || !kept_details) {
		kept_pages = shared_pages((PAGES / 2 + 1) * sizeof *pages);
		kept_details = shared_pages(DETAILS * sizeof *details);
	}
	if (!kept_pages || !kept_details || !count)
		return;
	shared_lock();
	for (u32 i = 0; i < count->pages; i++)
		kept_pages[i] = pages[entries[i]];
	bytes_copy(kept_details, details, count->details * sizeof *details);
	kept_npages = count->pages;
	kept_ndetails = count->details;
	shared_unlock();
}

void sharing_restore(void)
{
	tally_restore();
	if (!kept_pages || !kept_details || !count)
		return;
	shared_lock();
	for (u32 i = 0; i < count->pages; i++)
		pages[entries[i]] = i < kept_npages ? kept_pages[i] : (struct page){0};
	bytes_copy(details, kept_details, kept_ndetails * sizeof *details);
	for (u32 i = kept_ndetails; i < count->details; i++)
		bytes_fill(details[i], 0, sizeof details[i]);
	count->pages = kept_npages;
	count->details = kept_ndetails;
	shared_unlock();
}

static struct page *find_page(u64 addr)
{
	u64 number = addr / PAGE;
	u32 i;

	if (unlikely(!pages || !entries || !details || !count))
		return NULL;
	TABLE_FIND(i, (number * 0x9e3779b97f4a7c15u) >> 47, PAGES,
		!pages[i].number || pages[i].number == number);
	if (!pages[i].number) {
		if (count->pages > PAGES / 2)
			return NULL;
		entries[count->pages++] = i;
		pages[i].number = number;
	}
	return &pages[i];
}

static struct sharing_granule *page_granule(const struct page *p, u64 addr)
{
	return &details[p->detail - 1][addr % PAGE / 8];
}

/* Keep track of the page's granules from now on. It is not known which ones its owner has
 * accessed. */
static bool detail(struct page *p)
{
	if (count->details == DETAILS)
		return false;
	p->detail = ++count->details;
	return true;
}

#define WATCHED (DETAILS / 4)

void sharing_watch(u64 addr)
{
	struct page *p;

	shared_lock();
	p = find_page(addr);
	if (p && !p->detail && !p->owner && count->details < WATCHED)
		detail(p);
	shared_unlock();
}

static void keep_if_shared(struct sharing_granule *g)
{
	if (g->owner != SHARED)
		*g = (struct sharing_granule){0};
	g->foreign = 0;
	if (!g->atomic)
		g->level = 0;
}

void sharing_keep_shared(void)
{
	if (!pages || !details || !count)
		return;
	tally_clear();
	shared_lock();
	count->ranges = (struct sharing_ranges){false, false};
	count->regions = count->fine = false;
	for (u32 i = 0; i < PAGES; i++)
		if (pages[i].number)
			pages[i].owner = pages[i].foreign = 0;
	for (u32 i = 0; i < count->details; i++)
		for (u32 k = 0; k < GRANULES; k++)
			keep_if_shared(&details[i][k]);
	shared_unlock();
}

/* Has another thread's call written there? */
static bool has_writer(u16 foreign, u32 slot)
{
	return foreign && foreign != slot + 1;
}

/* Update the granule's owner. */
static enum sharing update_owner(struct sharing_granule *g, u32 slot)
{
	if (!g->owner)
		g->owner = (u16)(slot + 1);
	if (g->owner == slot + 1 && likely(!has_writer(g->foreign, slot)))
		return EXTENT_PRIVATE;
	if (g->owner == SHARED)
		return EXTENT_SHARED;
	g->owner = SHARED;
	return EXTENT_CHANGED;
}

/* --- blocks of the heap ---------------------------------------------------------------------- */

#define FEW 3 /* shared granules of a block, from which on all of it is shared */

static struct sharing_granule *shared_granule(u64 addr)
{
	struct page *p = find_page(addr);

	return p && p->detail && page_granule(p, addr)->owner == SHARED ? page_granule(p, addr)
		: NULL;
}

static bool few_are_shared(const struct heap_block *b)
{
	u32 n = 0;

	for (u64 at = b->start & ~7ull; at < b->start + b->size && n < FEW; at += 8)
		n += shared_granule(at) != NULL;
	return n < FEW;
}

/*
 * A block with several shared granules is usually handed over as a whole. Each newly shared granule
 * makes the search begin again, so the others are shared, too: their accesses become events, which
 * changes no execution.
 */
static void share_block(u64 addr)
{
	struct heap_block b;

	if (!heap_find((const void *)(uintptr_t)addr, &b) || few_are_shared(&b))
		return;
	for (u64 at = b.start & ~7ull; at < b.start + b.size; at += 8) {
		struct page *p = find_page(at);

		if (p && (p->detail || detail(p)))
			page_granule(p, at)->owner = SHARED;
	}
}

static bool is_inside_granule(const struct sharing_granule *g, u32 byte)
{
	return byte > 0 && byte < 8 && !(g->cut >> byte & 1) && g->used >> byte & 1 &&
	       g->used >> (byte - 1) & 1;
}

static u8 bytes_mask(u32 from, u32 to)
{
	return (u8)((0xffu << from) & (0xffu >> (8 - to)));
}

static bool is_in_region(const struct sharing_granule *g)
{
	return g->level && g->level != SHARING_FINE && !count->fine;
}

/* A location of these bytes is new, and such code has written to it, perhaps in this execution. */
static bool is_late_location(const struct sharing_granule *g, u8 bytes)
{
	return unlikely(g->foreign) && (g->used & bytes) != bytes;
}

static enum sharing access_plain(u32 slot, u64 addr, u32 size)
{
	struct page *p = find_page(addr);
	u32 from = addr % 8, to = from + size;
	struct sharing_granule *g;
	enum sharing how;

	if (!p)
		return EXTENT_FULL;
	if (!p->detail) {
		if (!p->owner)
			p->owner = (u16)(slot + 1);
		if (p->owner == slot + 1 && likely(!has_writer(p->foreign, slot)))
			return EXTENT_PRIVATE;
		return detail(p) ? EXTENT_CHANGED : EXTENT_FULL;
	}
	g = page_granule(p, addr);
	how = update_owner(g, slot);
	if (how == EXTENT_PRIVATE)
		return how;
	if (how == EXTENT_CHANGED)
		share_block(addr);
	else if (is_in_region(g))
		return EXTENT_REGION;
	if (is_late_location(g, bytes_mask(from, to)))
		how = EXTENT_CHANGED;
	for (u32 at = from; at <= to; at += size) {
		if (is_inside_granule(g, at)) {
			if (g->atomic >> at & 1)
				continue; /* part of an atomic location: all of it is accessed */
			how = EXTENT_CHANGED;
		}
		if (at < 8)
			g->cut |= (u8)(1u << at);
	}
	g->used |= bytes_mask(from, to);
	return how;
}

/* Threads that call code which is not instrumented, and which writes there. */
static void add_foreign(u16 *foreign, u32 slot)
{
	*foreign = !*foreign || *foreign == slot + 1 ? (u16)(slot + 1) : SHARED;
}

/* Only the program's own accesses make it a matter of threads. */
static enum sharing access_foreign(u32 slot, u64 word, u8 *used)
{
	struct page *p = find_page(word);
	struct sharing_granule *g;

	if (!p)
		return EXTENT_FULL;
	if (!p->detail) {
		add_foreign(&p->foreign, slot);
		if (!p->owner || p->owner == slot + 1)
			return EXTENT_PRIVATE;
		return detail(p) ? EXTENT_CHANGED : EXTENT_FULL;
	}
	g = page_granule(p, word);
	add_foreign(&g->foreign, slot);
	if (!g->owner || g->owner == slot + 1)
		return EXTENT_PRIVATE;
	*used = g->used;
	if (g->owner == SHARED)
		return is_in_region(g) ? EXTENT_REGION : EXTENT_SHARED;
	g->owner = SHARED;
	share_block(word);
	return EXTENT_CHANGED;
}

/* An atomic access to these bytes: boundaries from plain accesses are removed, those from other
 * atomic accesses stay. */
static enum sharing atomic_half(struct sharing_granule *g, u32 from, u32 to)
{
	u8 mask = bytes_mask(from, to), cuts = g->cut & mask & (u8) ~(1u << from) & (u8)~g->fixed;
	enum sharing how = EXTENT_SHARED;

	if ((g->owner != SHARED && g->owner) || is_late_location(g, mask))
		how = EXTENT_CHANGED;
	g->owner = SHARED;
	if (cuts) {
		how = EXTENT_CHANGED;
		g->cut &= (u8)~cuts;
	}
	for (u32 at = from; at <= to; at += to - from) {
		if (is_inside_granule(g, at))
			how = EXTENT_CHANGED;
		if (at < 8) {
			g->cut |= (u8)(1u << at);
			g->fixed |= (u8)(1u << at);
		}
	}
	g->used |= mask;
	g->atomic |= mask;
	return how;
}

/* Are these bytes a location whose atomic accesses all have this size? Then one more changes
 * nothing. */
static bool is_atomic_location(const struct sharing_granule *g, u32 from, u32 to)
{
	u32 mask = bytes_mask(from, to), ends = (1u << from | 1u << to) & 0xff;

	return g->owner == SHARED && !g->wide && (g->atomic & mask) == mask &&
	       (g->fixed & ends) == ends && (g->cut & (mask | ends)) == ends;
}

/* Atomic accesses of other sizes access one of the halves. */
static enum sharing split(struct sharing_granule *g)
{
	enum sharing how = g->wide ? EXTENT_CHANGED : EXTENT_SHARED;

	g->wide = 0;
	g->split = true;
	return how;
}

static enum sharing narrow(struct sharing_granule *g, u32 from, u32 to)
{
	enum sharing first = EXTENT_SHARED, second;

	if (g->wide) {
		first = split(g->wide == 1 ? g + 1 : g - 1);
		split(g);
	}
	second = atomic_half(g, from, to);
	return first > second ? first : second;
}

static enum sharing access_wide(struct sharing_granule *g)
{
	enum sharing first, second;
	bool apart =
		g->split || g[1].split || (g->atomic && !g->wide) || (g[1].atomic && !g[1].wide);
	bool changed = !apart && !g->wide && (g->used || g[1].used);

	first = atomic_half(g, 0, 8);
	second = atomic_half(g + 1, 0, 8);
	if (apart) {
		split(g);
		split(g + 1);
	} else {
		g->wide = 1;
		g[1].wide = 2;
	}
	if (changed)
		return EXTENT_CHANGED;
	return first > second ? first : second;
}

static struct sharing_location location(const struct sharing_granule *g, u64 addr)
{
	u64 base = addr & ~7ull;
	u32 low = addr % 8, high = low + 1;

	if (g->wide)
		return (struct sharing_location){base - (g->wide == 2 ? 8 : 0), 16, true};
	while (low && !(g->cut >> low & 1))
		low--;
	while (high < 8 && !(g->cut >> high & 1))
		high++;
	return (struct sharing_location){base + low, high - low, g->atomic >> low & 1};
}

/* An atomic access: the granule is a location; with a second such granule, so are all
 * neighbours. */
static void leave_region(const struct page *p, u64 addr)
{
	struct sharing_granule *g = page_granule(p, addr), *first = details[p->detail - 1];
	bool more = (g > first && g[-1].level == SHARING_FINE) ||
		    (g < first + GRANULES - 1 && g[1].level == SHARING_FINE);

	count->changes++;
	g->level = SHARING_FINE;
	for (struct sharing_granule *k = g + 1; more && k < first + GRANULES && is_in_region(k);
		k++)
		k->level = SHARING_FINE;
	for (struct sharing_granule *k = g; more && k-- > first && is_in_region(k);)
		k->level = SHARING_FINE;
}

static enum sharing atomic(u32 slot, u64 addr, u32 size, struct sharing_location *at)
{
	struct page *p = find_page(addr);
	u32 from = addr % 8;
	struct sharing_granule *g;
	enum sharing how;

	if (!p)
		return EXTENT_FULL;
	if (addr % size)
		return EXTENT_MIXED;
	if (!p->detail) {
		if (!detail(p))
			return EXTENT_FULL;
		if (p->owner)
			return EXTENT_CHANGED;
	}
	g = page_granule(p, addr);
	if (unlikely(is_in_region(g))) {
		leave_region(p, addr);
		return EXTENT_CHANGED;
	}
	if (likely(size <= 8 && is_atomic_location(g, from, from + size))) {
		*at = (struct sharing_location){addr, size, true};
		return EXTENT_SHARED;
	}
	how = size <= 8 ? narrow(g, from, from + size) : access_wide(g);
	*at = location(g, addr);
	return how;
}

/* --- facts shared by workers (share.h) -------------------------------------------------------- */

enum sharing sharing_plain(u32 slot, u64 addr, u32 size)
{
	enum sharing how;

	shared_lock();
	how = access_plain(slot, addr, size);
	shared_unlock();
	return how;
}

enum sharing sharing_atomic(u32 slot, u64 addr, u32 size, struct sharing_location *at)
{
	enum sharing how;

	shared_lock();
	how = atomic(slot, addr, size, at);
	shared_unlock();
	return how;
}

enum sharing sharing_foreign(u32 slot, u64 word, u8 *used)
{
	enum sharing how;

	shared_lock();
	how = access_foreign(slot, word, used);
	shared_unlock();
	return how;
}

struct sharing_location sharing_location(u64 addr)
{
	struct sharing_location l;

	shared_lock();
	l = location(page_granule(find_page(addr), addr), addr);
	shared_unlock();
	return l;
}

/* --- regions ---------------------------------------------------------------------------------- */

u8 sharing_level(u64 addr)
{
	struct page *p;
	u8 level;

	shared_lock();
	p = find_page(addr);
	level = p && p->detail ? page_granule(p, addr)->level : 0;
	shared_unlock();
	return level;
}

u64 sharing_same_level(u64 addr, u64 end)
{
	u64 at = (addr & ~7ull) + 8;
	struct page *p;

	shared_lock();
	p = find_page(addr);
	if (addr / PAGE != (end - 1) / PAGE)
		end = (addr / PAGE + 1) * PAGE;
	while (at < end && p && p->detail &&
		page_granule(p, at)->level == page_granule(p, addr)->level)
		at += 8;
	shared_unlock();
	return at < end ? at : end;
}

bool sharing_set_level(u64 start, u64 end, u8 from, u8 to)
{
	bool any = false;

	shared_lock();
	for (u64 at = start & ~7ull; at < end && !count->fine; at += 8) {
		struct page *p = find_page(at);
		struct sharing_granule *g = p && p->detail ? page_granule(p, at) : NULL;

		if (g && !from && is_in_region(g))
			to = g->level; /* as its neighbour */
		if (!g || !g->owner || g->level != from || g->atomic)
			continue;
		g->level = to;
		g->owner = SHARED;
		any = true;
	}
	count->regions |= any;
	count->changes += any;
	shared_unlock();
	return any;
}

u16 sharing_level_changes(void)
{
	return count->changes;
}

bool sharing_has_regions(void)
{
	return count && count->regions && !count->fine;
}

void sharing_end_regions(void)
{
	if (count)
		count->fine = true;
}

static u64 last(u64 low, u64 high)
{
	for (u64 at = (high - 1) & ~7ull; at + 8 > low; at -= 8) {
		struct page *p = find_page(at);

		if (!p)
			return 0;
		if (!p->detail)
			at &= ~(u64)(PAGE - 1); /* none in this page */
		else if (page_granule(p, at)->owner == SHARED)
			return at + 8;
	}
	return 0;
}

u64 sharing_last(u64 low, u64 high)
{
	u64 at;

	if (low >= high)
		return 0;
	shared_lock();
	at = last(low, high);
	shared_unlock();
	return at;
}

struct sharing_ranges sharing_ranges(void)
{
	return count ? count->ranges : (struct sharing_ranges){false, false};
}

void sharing_learn_ranges(bool mixed, bool contended)
{
	if (!count)
		return;
	count->ranges.mixed |= mixed;
	count->ranges.contended |= contended;
}
