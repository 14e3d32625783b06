/* SPDX-License-Identifier: ISC */
/* region.c - see region.h. */
#include "graph/execute_priv.h"
#include "graph/sharing.h"
#include "heap/heap_priv.h"
#include "process/module.h"

#define WINDOW	 512u /* of the program's variables */
#define SMALLEST 32u
#define UNKNOWN	 0x5eedull /* the value of an incomplete write */

/* So many reads without a store may be a loop that waits. */
#define READS (1u << 20)

static u64 limit;

void region_begin(u64 accesses)
{
	limit = accesses;
}

static struct regions *own_regions(void)
{
	return &X.f[M.cur->slot].regions;
}

/* --- extents of regions
 * ------------------------------------------------------------------------ */

struct region_range {
	u64 start, end;
	u64 last; /* the end of its bytes; end: of its granules */
};

/* The largest possible region at addr. False: none. */
static bool largest(u64 addr, struct region_range *r)
{
	struct arena_view v;

	if (arena_has((const void *)(uintptr_t)addr)) {
		if (!arena_view(addr, &v) || addr - v.start >= v.size)
			return false;
		*r = (struct region_range){
			v.start, (v.start + v.size + 7) & ~7ull, v.start + v.size};
		return true;
	}
	r->start = addr & ~(u64)(WINDOW - 1);
	r->end = r->last = r->start + WINDOW;
	return module_has_variable(addr);
}

static u64 size_at(const struct region_range *all, u8 level)
{
	u64 size = SMALLEST;

	while (size < all->end - all->start)
		size *= 2;
	return size >> (level - 1);
}

/* The region of this level. */
static struct region_range region_of(const struct region_range *all, u64 addr, u8 level)
{
	u64 size = size_at(all, level), start = addr - (addr - all->start) % size;
	struct region_range r = {start, start + size, start + size};

	if (r.end >= all->end) {
		r.end = all->end;
		r.last = all->last;
	}
	return r;
}

static u64 contents(const struct region_use *r, bool *whole)
{
	u64 h = 0, at = r->start;

	*whole = true;
	for (u64 next; at < r->end; at = next) {
		next = sharing_same_level(at, r->end);
		if (sharing_level(at) != r->level) {
			*whole = false;
			continue;
		}
		for (; at < next; at += 8)
			h = prng_mix(h ^ *(const u64 *)(uintptr_t)at);
	}
	return h;
}

/* --- learning --------------------------------------------------------------------------------- */

static void refine(u64 start, u64 end)
{
	u8 level = 0;

	for (u64 at = start; at < end && (!level || level == SHARING_FINE); at += 8)
		level = sharing_level(at);
	if (level && level != SHARING_FINE)
		sharing_set_level(start, end, level,
			end - start <= SMALLEST ? SHARING_FINE : (u8)(level + 1));
}

static _Noreturn void refine_here(u64 start, u64 end)
{
	refine(start, end);
	execute_begin_again();
}

void region_refine(struct program *p, u32 loc)
{
	const struct place *at = &X.places->place[loc];

	refine(at->addr & ~7ull, (at->addr & ~7ull) + at->span);
}

bool region_end_all(void)
{
	if (!sharing_has_regions())
		return false;
	sharing_end_regions();
	return true;
}

void region_count(u64 addr)
{
	struct regions *r = own_regions();
	struct region_count *c = r->count;
	struct region_range all;

	if (!limit || X.places->mixed || !largest(addr, &all))
		return;
	while (c < r->count + REGIONS_OPEN && c->start != all.start)
		c++;
	if (c == r->count + REGIONS_OPEN) {
		c = &r->count[r->next++ % REGIONS_OPEN];
		*c = (struct region_count){all.start, 0};
	}
	if (++c->accesses <= limit)
		return;
	c->accesses = 0;
	if (sharing_level(addr) != SHARING_FINE && sharing_set_level(all.start, all.end, 0, 1))
		execute_begin_again();
}

/* --- events ----------------------------------------------------------------------------------- */

/* Objects have even addresses. */
static u64 region_address(const struct region_use *r)
{
	return r->start + 1 + 2 * (r->level % 4);
}

static u32 location_of(const struct region_use *r, u64 init)
{
	u32 loc = place_find(X.places, region_address(r), 0);
	struct place *p;

	if (!loc) {
		loc = place_intern(X.places, region_address(r), 0, init);
		if (!loc)
			execute_unsupported("limit: more than %u locations", PLACES_MAX);
	}
	p = &X.places->place[loc];
	if (p->updated != sharing_level_changes()) { /* a search has begun since */
		p->updated = sharing_level_changes();
		p->span = (u32)(r->end - r->start);
		p->init = init;
	}
	if (p->span != r->end - r->start)
		refine_here(r->start, r->end); /* two of them begin here */
	return loc;
}

static struct step step_region(const struct region_use *r, u8 type, u64 value)
{
	struct label l = {.type = type,
		.loc = (u16)r->loc,
		.other = (u16)r->block,
		.site = (u32)machine_site,
		.value = value};

	return execute_step(&l);
}

static void step_write(const struct region_use *r, u64 value)
{
	struct regions *all = own_regions();

	step_region(r, LABEL_PLAIN_WRITE, value);
	all->step = X.f[M.cur->slot].steps;
	all->loc = r->loc;
}

/* A larger region may have granules on both sides of a smaller one, so the level counts, too. */
static struct region_use *find(struct regions *all, u64 addr)
{
	u8 level = sharing_level(addr);

	for (u32 i = 0; i < all->nopen; i++)
		if (addr - all->open[i].start < all->open[i].end - all->open[i].start &&
			all->open[i].level == level) {
			all->last = i;
			return &all->open[i];
		}
	return NULL;
}

/* The first access of a segment. */
static struct region_use *open(struct regions *all, u64 addr, u32 block)
{
	struct region_use r = {.level = sharing_level(addr), .block = block};
	struct region_range most, at;
	u64 value;

	if (!largest(addr, &most))
		refine_here(addr & ~7ull, (addr & ~7ull) + 8); /* it was another block's */
	if (all->nopen == REGIONS_OPEN)
		region_leave();
	at = region_of(&most, addr, r.level);
	r.start = at.start;
	r.end = at.end;
	r.last = at.last;
	value = contents(&r, &r.whole);
	r.loc = location_of(&r, value);
	if (step_region(&r, LABEL_PLAIN_READ, 0).value != value)
		refine_here(r.start, r.end);
	all->last = all->nopen++;
	all->open[all->last] = r;
	return &all->open[all->last];
}

void region_enter(u64 addr, bool writes, u32 block)
{
	struct regions *all = own_regions();
	struct region_use *r = find(all, addr);

	if (!r)
		r = open(all, addr, block);
	all->reads = writes ? 0 : all->reads + 1;
	if (all->reads > READS)
		refine_here(r->start, r->end);
	if (!writes || r->written)
		return;
	step_write(r, UNKNOWN);
	r->written = true;
}

bool region_has(u64 addr, u64 n, bool writes)
{
	struct regions *all = own_regions();
	const struct region_use *r = &all->open[all->last];

	if (likely(!all->nopen) || addr < r->start || addr + n > r->last || !r->whole ||
		(writes && !r->written) || all->reads >= READS)
		return false;
	all->reads = writes ? 0 : all->reads + 1;
	return true;
}

void region_leave(void)
{
	struct regions *all = own_regions();
	bool whole;

	for (u32 i = 0; i < all->nopen; i++)
		if (all->open[i].written)
			step_write(&all->open[i], contents(&all->open[i], &whole));
	region_next_segment(all);
}

void region_forget(u64 start)
{
	struct regions *all = own_regions();
	u32 kept = 0;
	struct region_range block;

	for (u32 i = 0; i < all->nopen; i++) {
		if (!largest(all->open[i].start, &block) || block.start != start)
			all->open[kept++] = all->open[i];
	}
	all->nopen = kept;
	all->last = 0;
}

void region_needs_steps(u32 steps)
{
	const struct regions *all = own_regions();
	const struct place *p = &X.places->place[all->loc];
	bool open = false;

	for (u32 i = 0; i < all->nopen; i++)
		open |= all->open[i].written;
	if (all->loc && (open || X.f[M.cur->slot].steps - all->step < steps))
		refine_here(p->addr & ~7ull, (p->addr & ~7ull) + p->span);
}
