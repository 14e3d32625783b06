/* SPDX-License-Identifier: ISC */
/*
 * range.c - plain accesses of any number of bytes, and stores that the program makes itself, on
 * store buffers.
 */
#include "buffers/access.h"
#include "buffers/buffers.h"
#include "machine/record/record.h"
#include "machine/access/spinning.h"
#include "machine/execution/tsan_store.h"
#include "heap/uninit.h"

#include <heddle/abi.h>

/* Ranges up to this long are single stores and loads of 8 bytes; longer ones are one step. */
#define RANGE_SPLIT 64

/* The size of the next access, with so many bytes left. */
static u32 piece_size(size_t left)
{
	return left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

static void range_begin(struct thread *t, const void *p, size_t n)
{
	if (M.alone)
		return;
	M.bounds |= BOUND_RANGE;
	arrive_drained(t);
}

static void range_recorded(struct thread *t, enum event_kind kind, const void *p, size_t n)
{
	u64 first[2] = {0, 0};

	memory_read((u64)(uintptr_t)p, n < 16 ? (u32)n : 16, first);
	buffers_record(t, kind, p, (u32)n, __ATOMIC_RELAXED, EVENT_PLAIN, first, NULL,
		kind == EV_READ ? record_writer((u64)(uintptr_t)p) : 0);
}

void buffers_read(void *to, const void *from, size_t n)
{
	struct thread *t = M.cur;
	u16 part = 0;
	struct store found;

	if (n > RANGE_SPLIT || M.alone) {
		if (!private_load(t, (u64)(uintptr_t)from, n))
			range_begin(t, from, n);
		heap_check((u64)(uintptr_t)from, n, false);
		__builtin_memcpy(to, from, n);
		if (unlikely(M.recording) && n)
			range_recorded(t, EV_READ, from, n);
		return;
	}
	for (size_t i = 0; i < n;) {
		u64 addr = (u64)(uintptr_t)from + i;
		u32 size = piece_size(n - i);
		bool forwarded = false;

		if (private_load(t, addr, size))
			memory_read(addr, size, found.value);
		else
			forwarded = see_value(t, addr, size, false, &found);

		memory_mask(size, found.value);
		__builtin_memcpy((char *)to + i, found.value, size);
		if (unlikely(M.recording))
			buffers_record(t, EV_READ, (void *)(uintptr_t)addr, size, __ATOMIC_RELAXED,
				EVENT_PLAIN | part | (forwarded ? EVENT_FORWARDED : 0), found.value,
				NULL, forwarded ? found.step : record_writer(addr));
		part = EVENT_PART;
		i += size;
	}
}

/* Around a store to a whole range, which no buffer delays. */
static void begin_range_store(struct thread *t, const void *to, size_t n)
{
	spin_reset(&t->spin);
	if (!private_store(t, (u64)(uintptr_t)to, n, NULL))
		range_begin(t, to, n);
	heap_check((u64)(uintptr_t)to, n, true);
}

static void end_range_store(struct thread *t, const void *to, size_t n)
{
	uninit_wrote((u64)(uintptr_t)to, n);
	if (unlikely(M.recording) && n)
		range_recorded(t, EV_WRITE, to, n);
	if (unlikely(S.nparked))
		memory_changed((u64)(uintptr_t)to, n);
}

void buffers_write(void *to, const void *from, size_t n)
{
	struct thread *t = M.cur;

	if (n > RANGE_SPLIT || M.alone) {
		begin_range_store(t, to, n);
		__builtin_memmove(to, from, n);
		end_range_store(t, to, n);
		return;
	}
	for (size_t i = 0; i < n;) {
		u32 size = piece_size(n - i);
		u64 value[2] = {0, 0};

		__builtin_memcpy(value, (const char *)from + i, size);
		buffers_store((char *)to + i, size, value, __ATOMIC_RELAXED,
			EVENT_PLAIN | (i ? EVENT_PART : 0));
		i += size;
	}
	if (unlikely(tsan_store_used)) /* such code does not announce the end of its frames */
		buffers_drain();
}

void buffers_fill(void *to, int byte, size_t n)
{
	char chunk[RANGE_SPLIT];
	struct thread *t = M.cur;

	if (n <= RANGE_SPLIT) {
		__builtin_memset(chunk, byte, n);
		buffers_write(to, chunk, n);
		return;
	}
	begin_range_store(t, to, n);
	__builtin_memset(to, byte, n);
	end_range_store(t, to, n);
}

/* --- stores that the program makes itself ----------------------------------------------------- */

void buffers_announce(const void *p, size_t n, u64 code)
{
	if (!M.alone)
		arrive_drained(M.cur);
	heap_check((u64)(uintptr_t)p, n, true);
}

bool buffers_stored(const void *p, size_t n)
{
	struct thread *t = M.cur;

	uninit_wrote((u64)(uintptr_t)p, n);
	spin_reset(&t->spin);
	if (M.alone)
		alone_step();
	if (unlikely(M.recording))
		range_recorded(t, EV_WRITE, p, n);
	if (unlikely(S.nparked))
		memory_changed((u64)(uintptr_t)p, n);
	return true;
}
