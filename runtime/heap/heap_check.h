/* SPDX-License-Identifier: ISC */
/*
 * heap_check.h - is the memory that an access touches allocated? (--detect=heap)
 *
 * On store buffers a look at the block's header tells: memory is as the execution has made it. A
 * store looks when it is issued, and again when it leaves its buffer after another thread has
 * freed the block. While a graph is followed, what other threads have freed natively says nothing;
 * there bounds are looked at, and the rest is in the graph (execute_heap.c, trust/trust_heap.c).
 *
 * Blocks that existed before exploration began (heddle_check() in the middle of a process) and
 * those of libc are not looked at.
 */
#ifndef HEAP_HEAP_CHECK_H
#define HEAP_HEAP_CHECK_H

#include "heap/heap.h"
#include "process/module.h"

struct thread;
struct arena_view;

/* ARENA_SPAN, or 0: no detector needs it. */
extern u64 heap_watched;

/* Before the first execution: is the detector on? */
void heap_check_begin(void);

static inline bool heap_is_watched(u64 addr)
{
	return addr - ARENA_BASE < heap_watched;
}

void heap_check_block(u64 addr, u64 size, bool write);

/* A store to variables of ours ends the execution: from then on nothing that we say could be
 * trusted. */
_Noreturn void heap_check_ours(u64 addr);

static inline void heap_check_not_ours(u64 addr, u64 size)
{
	if (unlikely(module_is_runtime_data(addr, size)) && size)
		heap_check_ours(addr);
}

/* The running thread accesses this, on store buffers. */
static inline void heap_check(u64 addr, u64 size, bool write)
{
	if (write)
		heap_check_not_ours(addr, size);
	if (unlikely(heap_is_watched(addr)))
		heap_check_block(addr, size, write);
}

/* A store of t is about to leave its buffer. */
struct store;
void heap_check_commit(struct thread *t, const struct store *s);

/* How much of n bytes at p is in the same block: functions that read ahead read no more. */
size_t heap_room(const void *p, size_t n);

/* The block that an access is to; it ends the execution if that is not in bounds. */
void heap_bounds(u64 addr, u64 size, bool write, struct arena_view *v);

/* It has been freed: end the execution. */
_Noreturn void heap_check_freed(u64 addr, u64 size, bool write, const struct arena_view *v);

#endif
