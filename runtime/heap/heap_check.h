/* SPDX-License-Identifier: ISC */
/*
 * heap_check.h - is the memory of an access allocated? (--detect=heap)
 *
 * On store buffers the block's header decides: memory belongs to the execution. A store is checked
 * when issued, and again when it leaves its buffer after another thread has freed the block. While
 * a graph is followed, native frees of other threads mean nothing: only bounds are checked, and the
 * graph has the rest (execute_heap.c, trust/trust_heap.c).
 *
 * Blocks that existed before exploration began (heddle_check() in the middle of a process) and
 * those of libc are not checked.
 */
#ifndef HEAP_HEAP_CHECK_H
#define HEAP_HEAP_CHECK_H

#include "event/event.h"
#include "heap/heap.h"
#include "heap/stack_check.h"
#include "process/module.h"

struct thread;
struct arena_view;

/* ARENA_SPAN, or 0: no detector needs it. */
extern u64 heap_watched;
/* The same for heaps and the stacks above them. */
extern u64 access_watched;

/* Before the first execution: is the detector on? */
void heap_check_begin(void);

static inline bool heap_is_watched(u64 addr)
{
	return addr - ARENA_BASE < heap_watched;
}

static inline bool access_is_watched(u64 addr)
{
	return addr - ARENA_BASE < access_watched;
}

/* The block of the last object, or of the last access, that was checked; size 0: it may have been
 * freed since. */
extern struct heap_known {
	u64 start, size;
} heap_object, heap_block;

void heap_check_block(u64 addr, u64 size, enum event_kind kind);

/* A store to the runtime's variables ends the execution: later results could not be trusted. */
_Noreturn void heap_check_ours(u64 addr);

static inline void heap_check_not_ours(u64 addr, u64 size)
{
	if (unlikely(module_is_runtime_data(addr, size)) && size)
		heap_check_ours(addr);
}

static inline bool heap_is_known(u64 addr, u64 size)
{
	return addr - heap_block.start < heap_block.size &&
	       size <= heap_block.size - (addr - heap_block.start);
}

/* The running thread accesses this, on store buffers. */
static inline void heap_check(u64 addr, u64 size, bool write)
{
	if (heap_is_known(addr, size))
		return;
	if (write)
		heap_check_not_ours(addr, size);
	if (unlikely(access_is_watched(addr))) {
		if (heap_is_watched(addr))
			heap_check_block(addr, size, write ? EV_WRITE : EV_READ);
		else
			stack_check_access(addr, size, write);
	}
}

/* It performs an operation of this kind on an object there, which is watched. */
void heap_check_object(const void *obj, enum event_kind kind);

/* Is that known to be correct? */
static inline bool heap_has_object(const void *obj)
{
	return (u64)(uintptr_t)obj - heap_object.start < heap_object.size;
}

/* A store of t is about to leave its buffer. */
struct store;
void heap_check_commit(struct thread *t, const struct store *s);

/* The number of the n bytes at p that are in the same block, where functions that read ahead
 * stop. */
size_t heap_room(const void *p, size_t n);

/* The block of an access; an access out of bounds ends the execution. */
void heap_bounds(u64 addr, u64 size, enum event_kind kind, struct arena_view *v);

/* The block was freed: end the execution. */
_Noreturn void heap_check_freed(
	u64 addr, u64 size, enum event_kind kind, const struct arena_view *v);

#endif
