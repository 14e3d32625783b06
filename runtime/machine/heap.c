/* SPDX-License-Identifier: ISC */
/*
 * heap.c - decides which kind of block an allocation is, and what a free may do.
 *
 *                       natively      exploring, by the program     by libc
 *     alloc             native        arena of the thread           native, internal
 *     free of native    freed         noted (heap_native.c)         freed, if internal; else noted
 *     free of arena     -             marked                        marked
 *
 * What a block is, not who frees it, decides how: libc may reallocate the program's line buffer
 * (getline), the program may free what libc has made.
 */
#include "machine/heap_priv.h"
#include "machine/machine.h"
#include "machine/module.h"

static PER_EXECUTION i32 balance[HEAP_BALANCES] = {0}, balance_all = 0;

static void count(const struct thread *t, i32 n)
{
	u32 slot = thread_id(t);

	if (likely(slot < HEAP_BALANCES))
		balance[slot] += n;
	balance_all += n;
}

i32 heap_balance(u32 slot)
{
	return slot < HEAP_BALANCES ? balance[slot] : 0;
}

i32 heap_balance_all(void)
{
	return balance_all;
}

static bool in_arena(const void *p)
{
	return arena_has(p, THREADS_MAX);
}

void heap_init(void)
{
	native_init();
}

void *heap_alloc(size_t size, size_t alignment, bool zero, const void *caller)
{
	struct thread *t;

	if (unlikely(size > PTRDIFF_MAX))
		return NULL;
	if (unlikely(module_in_libc(caller)))
		return native_alloc(size, alignment, zero, NATIVE_INTERNAL);
	if (!machine_exploring)
		return native_alloc(size, alignment, zero, 0);
	t = thread_self();
	if (unlikely(!t))
		return native_alloc(size, alignment, zero, NATIVE_INTERNAL);
	count(t, 1);
	return arena_alloc(thread_id(t), size, alignment, zero);
}

static _Noreturn void misuse(const char *what, const void *p)
{
	machine_fail(FINDING_MISUSE, NULL, 0, NULL, "%s (%p)", what, p);
}

/* Natively glibc looks after that; while exploring it is a finding. The block's size. */
static size_t check_live(const void *p, bool realloc)
{
	size_t size = 0;

	if (!in_arena(p)) {
		if (!native_is_block(p))
			misuse(realloc ? "realloc of what is no heap block"
				       : "free of what is no heap block", p);
		if (native_of(p)->flags & NATIVE_FREED)
			misuse(realloc ? "realloc of a freed block" : "double free", p);
		return native_of(p)->size;
	}
	switch (arena_check(p, &size)) {
	case ARENA_OK: break;
	case ARENA_FREED: misuse(realloc ? "realloc of a freed block" : "double free", p);
	case ARENA_INSIDE:
		misuse(realloc ? "realloc of what is no heap block"
			       : "free of what is no heap block", p);
	case ARENA_BROKEN:
		misuse("the header of a heap block has been overwritten, as by a write before it or "
		       "behind its neighbour", p);
	}
	return size;
}

void heap_free(void *p, const void *caller)
{
	if (!p)
		return;
	if (in_arena(p)) {
		/* Freed natively after the exploration: the arena is gone, nothing to do. */
		if (!machine_exploring)
			return;
		check_live(p, false);
		count(thread_self(), -1);
		arena_free(p);
		return;
	}
	if (machine_exploring) {
		check_live(p, false);
		if (!(native_of(p)->flags & NATIVE_INTERNAL) || !module_in_libc(caller))
			native_free_later(p);
		else
			native_free(p);
		return;
	}
	native_free(p);
}

void *heap_realloc(void *p, size_t size, const void *caller)
{
	size_t old;
	void *to;

	if (!p)
		return heap_alloc(size, HEAP_ALIGNMENT, false, caller);
	if (size > PTRDIFF_MAX)
		return NULL;
	if (!machine_exploring)
		return in_arena(p) ? NULL : native_realloc(p, size);
	old = check_live(p, true);
	if (!in_arena(p) && native_of(p)->flags & NATIVE_INTERNAL && module_in_libc(caller))
		return native_realloc(p, size);
	to = arena_alloc(thread_id(thread_self()), size, HEAP_ALIGNMENT, false);
	if (to) {
		count(thread_self(), 1);
		machine_read(to, p, old < size ? old : size);
		heap_free(p, caller);
	}
	return to;
}

size_t heap_size(const void *p)
{
	size_t size = 0;

	if (!p)
		return 0;
	if (!in_arena(p))
		return native_is_block(p) ? native_of(p)->size : 0;
	return arena_check(p, &size) <= ARENA_FREED ? size : 0;
}

void heap_save(void)
{
	native_save();
}

void heap_restore(void)
{
	arenas_reset();
	native_restore();
}

void heap_forget(void)
{
	heap_restore();
	arenas_forget();
	native_forget();
}

u32 heap_list(struct heap_block *to, u32 max)
{
	return arenas_list(to, max);
}

bool heap_find(const void *p, struct heap_block *b)
{
	return in_arena(p) ? arena_find(p, b) : native_find(p, b);
}
