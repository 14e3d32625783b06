/* SPDX-License-Identifier: ISC */
/* access.h - the common loads and stores of the explored program on store buffers, inline. */
#ifndef BUFFERS_ACCESS_H
#define BUFFERS_ACCESS_H

#include "buffers/private.h"
#include "buffers/sched.h"
#include "machine/access.h"
#include "heap/heap_check.h"
#include "heap/uninit.h"

void buffers_frame_leave(u64 sp, u64 frame); /* the running thread's stack below `frame` is dead */

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
	arrive(t);
	INVARIANT(buffer_check_lookup(&sched_of(t)->buffer, addr, size, LOOKUP_MISS, NULL));
	if (unlikely(access_is_watched(addr)))
		uninit_load(addr, size, order, flags, out);
	else
		memory_read(addr, size, out);
	spin_note(&t->spin, addr, size, out);
}

/* The same for access_store(): a store into a buffer with room. Not for PSO. */
static inline __attribute__((always_inline)) void access_store_fast(
	void *p, u32 size, const u64 value[2], int order, u16 flags)
{
	struct thread *t = M.cur;
	u64 addr = (u64)(uintptr_t)p;

	if (unlikely(M.alone || M.careful || M.buffers != BUFFERS_FIFO ||
		    (order & HEDDLE_ORDER_MASK) == __ATOMIC_SEQ_CST ||
		    sched_of(t)->buffer.n >= M.buffer_size)) {
		if (flags & EVENT_PLAIN && private_on && private_again(t, addr, size, true)) {
			spin_reset(&t->spin);
			memory_write(addr, size, value);
			return;
		}
		machine_site = (u64)(uintptr_t)__builtin_return_address(0);
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

#endif
