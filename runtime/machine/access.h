/* SPDX-License-Identifier: ISC */
/* access.h - loads, stores, RMWs and fences of the explored program; the common cases inline. */
#ifndef MACHINE_ACCESS_H
#define MACHINE_ACCESS_H

#include "machine/core.h"
#include "machine/heap_check.h"
#include "machine/uninit.h"

/* or'ed to the order of a fence that is not in the program */
#define ACCESS_VIRTUAL 0x40
/* Likewise: it is an event even if it is relaxed */
#define ACCESS_EVENT 0x80

void access_load(const void *p, u32 size, int order, u16 flags, u64 out[2]);
void access_store(void *p, u32 size, const u64 value[2], int order, u16 flags);
void access_rmw(void *p, u32 size, u64 value[2], int op, int order);
bool access_cas(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders);
void access_fence(int order);

/*
 * How accesses are made, unless straight on store buffers (M.way is NULL): by following a graph, or
 * with other orders than the program asks for (order_override.h). order_override_access.c goes on
 * to one of the first two.
 */
struct access_ops {
	void (*load)(const void *p, u32 size, int order, u16 flags, u64 out[2]);
	void (*store)(void *p, u32 size, const u64 value[2], int order, u16 flags);
	void (*rmw)(void *p, u32 size, u64 value[2], int op, int order);
	bool (*cas)(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders);
	void (*fence)(int order);
};
extern const struct access_ops access_buffers, access_graph, access_overrides;

/* Follow a graph from now on, or no more. / Something that M.way depends on has changed. */
void access_follow_graph(bool on);
void access_set_way(void);

/* A plain store that is about to be made in memory itself: what is in the buffer goes first. Then
 * it has been made. */
void access_make_way(const void *p, size_t n);
void access_stored(const void *p, size_t n);

/* t is about to read something, through a door: if it spins, it is parked until there is news. */
void access_spinning(struct thread *t);
void access_frame_leave(u64 frame); /* the running thread's stack below `frame` is dead */

/*
 * access_load() of a size that the compiler knows, and nothing special about it: the thread is not
 * alone, its buffer has nothing near the address, it is not spinning, nothing is recorded.
 */
static inline __attribute__((always_inline)) void access_load_fast(
	const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	struct thread *t = M.cur;
	u64 addr = (u64)(uintptr_t)p;

	if (unlikely(M.alone || M.careful || t->buffer.filter & buffer_granules(addr, size) ||
		    !spin_passes(&t->spin, machine_frame, M.sampling))) {
		access_load(p, size, order, flags, out);
		return;
	}
	arrive(t);
	heap_check(addr, size, false);
	INVARIANT(buffer_check_lookup(&t->buffer, addr, size, LOOKUP_MISS, NULL));
	memory_read(addr, size, out);
	spin_note(&t->spin, addr, size, out);
}

/* Likewise access_store(): a store that just goes into a buffer with room. PSO's are special. */
static inline __attribute__((always_inline)) void access_store_fast(
	void *p, u32 size, const u64 value[2], int order, u16 flags)
{
	struct thread *t = M.cur;
	u64 addr = (u64)(uintptr_t)p;

	if (unlikely(M.alone || M.careful || M.buffers != BUFFERS_FIFO ||
		    (order & HEDDLE_ORDER_MASK) == __ATOMIC_SEQ_CST ||
		    t->buffer.n >= M.buffer_size)) {
		machine_site = (u64)(uintptr_t)__builtin_return_address(0);
		access_store(p, size, value, order, flags);
		return;
	}
	spin_reset(&t->spin);
	heap_check(addr, size, true);
	memory_probe(addr, size);
	buffer_push(&t->buffer, addr, size, value, 0);
	if (t->buffer.n == 1)
		buffer_changed(t, 0);
}

#endif
