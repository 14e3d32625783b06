/* SPDX-License-Identifier: ISC */
/*
 * execute_heap.c - the heap while a graph is followed: allocations, frees and uses as events.
 *
 * A block has a location, an object at the address of its header. trust/trust_heap.c defines the
 * events and their errors. An access that is an event itself names the block in its label. Accesses
 * that are not events, because no other thread accesses the same bytes, have an event of use if
 * several threads use or free the block (sharing.h treats its header like all other memory): the
 * first access after each event of the thread stands for all up to its next event.
 */
#include "graph/execute_priv.h"
#include "graph/sharing.h"
#include "heap/heap_check.h"
#include "heap/heap_priv.h"

/* The location of a block; init: its size + 1 if it was allocated before the first event. */
static u32 block_location(u64 header, u64 init)
{
	u32 loc = place_find(X.places, header, 0);

	if (loc)
		return loc;
	loc = place_intern(X.places, header, 0, init);
	if (!loc)
		execute_unsupported("limit: more than %u locations", PLACES_MAX);
	return loc;
}

static enum sharing touch_block(u64 header)
{
	enum sharing how = sharing_plain(M.cur->slot, header, 8);

	if (how == EXTENT_CHANGED)
		execute_begin_again();
	if (how == EXTENT_FULL)
		execute_unsupported("limit: too much memory is shared between threads");
	return how;
}

static void step_block(u64 header, u64 value, const void *caller)
{
	struct label l = {.type = LABEL_PLAIN_WRITE, .flags = LABEL_HEAP, .value = value,
		.site = (u32)(uintptr_t)caller};

	touch_block(header);
	l.loc = block_location(header, 0);
	execute_step(&l);
}

void execute_alloc(const void *p, size_t size, const void *caller)
{
	step_block((u64)(uintptr_t)p - HEAP_ALIGNMENT, size + 1, caller);
	execute_wipe();
}

void execute_free(const void *p, const void *caller)
{
	region_forget((u64)(uintptr_t)p);
	step_block((u64)(uintptr_t)p - HEAP_ALIGNMENT, 0, caller);
	execute_wipe();
}

bool execute_heap_on(void)
{
	return X.begun && (heap_watched || M.options->reuse != REUSE_NEVER);
}

static u32 find_heap_block(u64 addr, u64 size, enum event_kind kind, struct arena_view *v)
{
	heap_bounds(addr, size, kind, v);
	if (unlikely(v->freed && v->early))
		heap_check_freed(addr, size, kind, v);
	return block_location(arena_header(v), v->size + 1);
}

u32 execute_block(u64 addr, u64 size, const u8 *value, struct execute_use *use)
{
	struct arena_view v;
	u32 block;

	use->header = 0;
	if (likely(!heap_is_watched(addr)) || !size)
		return 0;
	block = find_heap_block(addr, size, value ? EV_WRITE : EV_READ, &v);
	*use = (struct execute_use){.header = arena_header(&v), .addr = addr, .size = size,
		.value = value};
	return block;
}

u32 execute_block_of(const void *obj, enum event_kind kind)
{
	struct arena_view v;
	u64 addr = (u64)(uintptr_t)obj;

	return likely(!heap_is_watched(addr)) ? 0 : find_heap_block(addr, 1, kind, &v);
}

bool execute_use(struct execute_use *use, u32 block)
{
	struct follower *f = &X.f[M.cur->slot];
	struct label l = {.type = LABEL_PLAIN_READ, .flags = LABEL_HEAP, .loc = block,
		.site = (u32)machine_site};
	struct arena_view v;
	bool own;

	if (!use->header)
		return true;
	own = touch_block(use->header) == EXTENT_PRIVATE;
	if (own) {
		if (arena_view(use->addr, &v) && v.freed)
			heap_check_freed(use->addr, use->size,
				use->value ? EV_WRITE : EV_READ, &v);
	} else if (f->used != use->header || f->used_at != f->steps) {
		X.use = *use;
		execute_step(&l);
		f->used = use->header;
		f->used_at = f->steps;
	}
	use->header = 0;
	return own;
}
