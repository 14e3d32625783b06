/* SPDX-License-Identifier: ISC */
/*
 * heap.c - decides the kind of block of an allocation, and the effect of a free.
 *
 *                       natively      exploring, by the program     by libc
 *     alloc             native        arena of the thread           native, internal
 *     free of native    freed         noted (heap_native.c)         freed, if internal; else noted
 *     free of arena     -             marked                        marked
 *
 * The kind of block decides, not the caller of free: libc may reallocate the program's line buffer
 * (getline), the program may free blocks of libc.
 */
#include "machine/core.h"
#include "heap/heap_check.h"
#include "heap/heap_priv.h"
#include "process/bytes.h"
#include "process/module.h"
#include "heap/uninit.h"

#include "detect/heap.h"

_Static_assert(ARENA_SPAN == (u64)THREADS_MAX * ARENA_SIZE, "an arena a thread");

/* Not PER_EXECUTION: most executions do not use it, and need not restore it. */
static i32 balance[HEAP_BALANCES], balance_all;
static bool balanced;

static void count_blocks(const struct thread *t, i32 n)
{
	u32 slot = thread_id(t);

	balanced = true;
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

void heap_init(void)
{
	native_init();
}

/* A new block of the running thread. */
static void *new_heap_block(size_t size, size_t alignment, bool zero, const void *caller)
{
	void *again = reuse_take(M.cur->slot, size, alignment), *p = again;

	if (unlikely(p))
		arena_again(p, M.cur->slot);
	else
		p = arena_alloc(M.cur->slot, size, alignment, zero);
	if (unlikely(uninit_on) && p)
		uninit_block(p, size, zero);
	count_blocks(M.cur, 1);
	if (p && M.engine->hand_over)
		M.engine->hand_over(p);
	if (p)
		M.engine->alloc(p, size, caller);
	if (unlikely(again) && zero)
		machine_fill(p, 0, size);
	return p;
}

void *heap_alloc(size_t size, size_t alignment, bool zero, const void *caller)
{
	void *p;

	if (unlikely(size > PTRDIFF_MAX))
		return NULL;
	if (machine_entered() && likely(!module_in_libc(caller) && thread_self()))
		return new_heap_block(size, alignment, zero, caller);
	if (!machine_entered() && likely(!module_in_libc(caller)))
		return native_alloc(size, alignment, zero, 0);
	p = native_alloc(size, alignment, zero, NATIVE_INTERNAL);
	if (p && machine_entered())
		sync_event(EV_MALLOC, p, size, 0);
	return p;
}

static _Noreturn void fail_free(enum heap_wrong what, const void *p, bool realloc)
{
	struct heap_fault f = {
		.what = what, .realloc = realloc, .addr = (u64)(uintptr_t)p, .freer = -1};
	struct heap_block b;
	char words[200];

	if (heap_find(p, &b)) {
		f.start = b.start;
		f.block_size = b.size;
		if (b.freed && arena_has(p))
			f.freer = M.thread[b.freer].number;
	}
	heap_describe(&f, words, sizeof words);
	machine_fail_at(f.addr, FINDING_HEAP, "%s", words);
}

/* Does the engine check frees itself? Then marks in memory are meaningless. */
static bool engine_knows(const void *p)
{
	struct arena_view v;

	return M.engine->orders_frees() && arena_view((u64)(uintptr_t)p, &v) && !v.early;
}

/* The block's size. A bad pointer is a finding while exploring; natively, glibc handles it. */
static size_t check_live(const void *p, bool realloc)
{
	size_t size = 0;

	if (!arena_has(p)) {
		if (!native_is_block(p))
			fail_free(HEAP_INVALID_FREE, p, realloc);
		if (native_of(p)->flags & NATIVE_FREED && !M.engine->orders_frees())
			fail_free(HEAP_DOUBLE_FREE, p, realloc);
		return native_of(p)->size;
	}
	switch (arena_check(p, &size)) {
	case ARENA_OK: break;
	case ARENA_FREED:
		if (!engine_knows(p))
			fail_free(HEAP_DOUBLE_FREE, p, realloc);
		break;
	case ARENA_INSIDE: fail_free(HEAP_INVALID_FREE, p, realloc);
	case ARENA_BROKEN: fail_free(HEAP_BROKEN, p, realloc);
	}
	return size;
}

void heap_free(void *p, const void *caller)
{
	size_t size;

	if (!p)
		return;
	if (machine_entered() && M.engine->hand_over)
		M.engine->hand_over(p);
	if (arena_has(p)) {
		/* Freed natively after the exploration: the arena is gone, nothing to do. */
		if (!machine_entered())
			return;
		size = check_live(p, false);
		count_blocks(thread_self(), -1);
		M.engine->free(p, caller);
		heap_object.size = heap_block.size = 0;
		arena_free(p, M.cur->slot, !M.engine->begun());
		reuse_keep(M.cur->slot, p, size);
		return;
	}
	if (machine_entered()) {
		check_live(p, false);
		if (!(native_of(p)->flags & NATIVE_INTERNAL))
			M.engine->free(p, caller);
		else
			sync_event(EV_FREE, p, 0, 0);
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
	if (!machine_entered())
		return arena_has(p) ? NULL : native_realloc(p, size);
	old = check_live(p, true);
	if (!arena_has(p) && native_of(p)->flags & NATIVE_INTERNAL && module_in_libc(caller))
		return native_realloc(p, size);
	to = new_heap_block(size, HEAP_ALIGNMENT, false, caller);
	if (to) {
		machine_read(to, p, old < size ? old : size);
		if (unlikely(uninit_on))
			uninit_copied(to, p, old < size ? old : size);
		heap_free(p, caller);
	}
	return to;
}

size_t heap_size(const void *p)
{
	size_t size = 0;

	if (!p)
		return 0;
	if (!arena_has(p))
		return native_is_block(p) ? native_of(p)->size : 0;
	return arena_check(p, &size) <= ARENA_FREED ? size : 0;
}

u32 heap_blocks(unsigned thread)
{
	return arena_blocks(thread);
}

bool heap_is_gone(const void *p, unsigned thread, u32 blocks)
{
	struct heap_block b = {.nth = 0};

	return arena_has(p) && arena_find(p, &b) && b.freed && b.thread == thread && b.nth > blocks;
}

void heap_save(void)
{
	native_save();
}

void heap_restore(void)
{
	if (unlikely(balanced)) {
		bytes_fill(balance, 0, sizeof balance);
		balance_all = 0;
		balanced = false;
	}
	heap_object.size = heap_block.size = 0;
	arenas_reset();
	reuse_reset();
	native_restore();
	given_reset();
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
	return arena_has(p) ? arena_find(p, b) : native_find(p, b);
}
