/* SPDX-License-Identifier: ISC */
/* access.h - the common loads and stores of the explored program on store buffers, inline. */
#ifndef BUFFERS_ACCESS_H
#define BUFFERS_ACCESS_H

#include "buffers/private.h"
#include "buffers/sched.h"
#include "machine/access/access.h"
#include "heap/heap_check.h"
#include "heap/uninit.h"

void buffers_frame_leave(u64 sp, u64 frame); /* the running thread's stack below `frame` is dead */

/* stepwise.c: with M.stepwise, or M.fine, a thread is about to store; at a fence; or to wait for an
 * empty buffer. True: it has. */
void stepwise_store(struct thread *t);
void stepwise_fence(struct thread *t, int order);
bool stepwise_drain(struct thread *t);

/* Wait until the stores of t's buffer that overlap a load in part have left it. */
void buffers_stall_load(struct thread *t, u64 addr, u32 size);
/* May a load of an own store be made without arriving? See access.c. */
bool buffers_skips_arrival(void);

/*
 * The value that t reads. t arrives unless it has already, even if the store is its own: before t
 * reads, that store may reach memory and be overwritten by another thread. Meanwhile t adds nothing
 * to its buffer, and older overlapping stores leave before the youngest one, so a hit can only
 * become a miss.
 */
static inline __attribute__((always_inline)) bool see_value(
	struct thread *t, u64 addr, u32 size, bool arrived, struct store *found)
{
	enum lookup where = buffer_lookup(&sched_of(t)->buffer, addr, size, found);

	if (unlikely(where == LOOKUP_PARTIAL)) {
		buffers_stall_load(t, addr, size); /* until only memory is read */
	} else if (!arrived && !(where == LOOKUP_HIT && buffers_skips_arrival())) {
		arrive(t);
		if (where == LOOKUP_HIT)
			where = buffer_lookup(&sched_of(t)->buffer, addr, size, found);
	}
	heap_check(addr, size, false);
	if (where == LOOKUP_HIT)
		return true;
	memory_read(addr, size, found->value);
	return false;
}

/* The rest of access_load_fast(), where a detector checks loads from this memory. */
void buffers_load_watched(const void *p, u32 size, int order, u16 flags, u64 out[2]);

/*
 * access_load() of a constant size for the common case: several threads, no buffered store near the
 * address, no spin loop, no recording.
 */
static inline __attribute__((always_inline)) void access_load_fast(
	const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	struct thread *t = M.cur;
	u64 addr = (u64)(uintptr_t)p;

	if (unlikely(M.alone || M.careful ||
		    sched_of(t)->buffer.filter & buffer_granules(addr, size) ||
		    !spin_passes(&t->spin, machine_frame, M.sampling))) {
		if (flags & EVENT_PLAIN && private_on && private_again(t, addr, size, false))
			memory_read(addr, size, out);
		else
			access_load(p, size, order, flags, out);
		return;
	}
	if (unlikely(access_is_watched(addr))) {
		buffers_load_watched(p, size, order, flags, out);
		return;
	}
	arrive(t);
	INVARIANT(buffer_check_lookup(&sched_of(t)->buffer, addr, size, LOOKUP_MISS, NULL));
	memory_read(addr, size, out);
	spin_note(&t->spin, addr, size, out);
}

/* The same for access_store(), which returns to `code`: a store into a buffer with room. Not for
 * PSO. */
static inline __attribute__((always_inline)) void access_store_fast(
	void *p, u32 size, const u64 value[2], int order, u16 flags, u64 code)
{
	struct thread *t = M.cur;
	u64 addr = (u64)(uintptr_t)p;

	if (unlikely(M.alone || M.careful || M.buffers != BUFFERS_FIFO ||
		    (order & HEDDLE_ORDER_MASK) == __ATOMIC_SEQ_CST ||
		    sched_of(t)->buffer.n >= M.buffer_size)) {
		machine_site = code;
		access_store(p, size, value, order, flags);
		return;
	}
	spin_reset(&t->spin);
	heap_check(addr, size, true);
	memory_probe(addr, size);
	buffer_push(&sched_of(t)->buffer, addr, size, value, 0);
	if (sched_of(t)->buffer.n == 1)
		buffer_changed(t, 0);
}

/* Arrive with an empty buffer: the operation then works on memory itself. */
static inline __attribute__((always_inline)) void arrive_drained(struct thread *t)
{
	if (buffer_empty(&sched_of(t)->buffer)) {
		arrive(t);
		return;
	}
	sched_of(t)->need_empty = true;
	arrive_unready(t);
	sched_of(t)->need_empty = false;
}

/* Change memory from old to new in one step. If they are equal, it is a load for the spin
 * detector. */
static inline void update_memory(
	struct thread *t, u64 addr, u32 size, const u64 old[2], const u64 new[2])
{
	memory_write(addr, size, new);
	uninit_wrote(addr, size);
	if (old[0] == new[0] && old[1] == new[1]) {
		spin_note(&t->spin, addr, size, old);
		return;
	}
	spin_reset(&t->spin);
	if (unlikely(S.nparked))
		memory_changed(addr, size);
}

/* A CAS has read `old`, and writes `new`; NULL: it fails. */
static inline __attribute__((always_inline)) void finish_cas(struct thread *t, u64 addr, u32 size,
	const u64 old[2], const u64 new[2], int orders)
{
	if (new)
		update_memory(t, addr, size, old, new);
	else
		spin_note(&t->spin, addr, size, old);
	if (unlikely(private_on))
		private_atomic_cas(t, addr, size, orders, new != NULL);
}

/* May access_cas_fast() perform it? If so, the thread does not spin. Not for a CAS that may fail
 * spuriously. */
static inline __attribute__((always_inline)) bool access_cas_is_fast(const void *p, int orders)
{
	return !(M.alone || M.careful || orders & HEDDLE_WEAK ||
		 access_is_watched((u64)(uintptr_t)p) ||
		 !spin_passes(&M.cur->spin, machine_frame, M.sampling));
}

/* The same for access_cas(). */
static inline __attribute__((always_inline)) bool access_cas_fast(
	void *p, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	struct thread *t = M.cur;
	u64 addr = (u64)(uintptr_t)p, old[2];
	bool ok;

	arrive_drained(t);
	heap_check_not_ours(addr, size);
	memory_read(addr, size, old);
	ok = old[0] == expected[0] && old[1] == expected[1];
	finish_cas(t, addr, size, old, ok ? desired : NULL, orders);
	expected[0] = old[0];
	expected[1] = old[1];
	return ok;
}

#endif
