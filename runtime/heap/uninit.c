/* SPDX-License-Identifier: ISC */
/* uninit.c - see uninit.h. */
#include "heap/uninit.h"
#include "process/bytes.h"
#include "process/pages.h"
#include "machine/core.h"
#include "machine/memory.h"
#include "heap/heap_priv.h"
#include "heap/stack_check.h"

#include "detect/heap.h"

#define COVERED \
	(ARENA_SIZE / 2) /* of an arena: large blocks have no pattern, and are not checked */

bool uninit_on;

static u8 *shadow[THREADS_MAX]; /* of each arena */

void uninit_begin(void)
{
	uninit_on = M.options->detect & DETECT_UNINIT;
}

static bool map_shadow(u32 arena)
{
	shadow[arena] = pages_take(COVERED);
	if (!shadow[arena])
		coverage_note("not enough memory to look for uninitialised memory");
	return shadow[arena];
}

/* The shadow of n bytes at addr; NULL: none. */
static u8 *uninit_shadow(u64 addr, u64 n)
{
	u32 arena = (u32)((addr - ARENA_BASE) / ARENA_SIZE);
	u64 at = (addr - ARENA_BASE) % ARENA_SIZE;

	return shadow[arena] && at + n <= COVERED ? shadow[arena] + at : NULL;
}

void uninit_block(const void *p, u64 size, bool zero)
{
	u64 addr = (u64)(uintptr_t)p;
	u32 arena = (u32)((addr - ARENA_BASE) / ARENA_SIZE);
	u8 *s;

	if (!shadow[arena] && !map_shadow(arena))
		return;
	s = uninit_shadow(addr, size);
	if (s)
		bytes_fill(s, !zero, size);
}

void uninit_stored(u64 addr, u64 n)
{
	u8 *s = uninit_shadow(addr, n);

	if (s)
		bytes_fill(s, 0, n);
}

void uninit_copied(const void *to, const void *from, u64 n)
{
	u8 *t = uninit_shadow((u64)(uintptr_t)to, n), *f = NULL;

	if ((u64)(uintptr_t)from - ARENA_BASE < ARENA_SPAN)
		f = uninit_shadow((u64)(uintptr_t)from, n);
	if (t && f)
		bytes_copy(t, f, n);
	else if (t)
		bytes_fill(t, 0, n);
}

bool uninit_bytes(u64 addr, u32 bytes)
{
	u32 n = bytes ? 32 - (u32)__builtin_clz(bytes) : 0;
	const u8 *s = n ? uninit_shadow(addr, n) : NULL;

	for (u32 i = 0; s && i < n; i++)
		if (bytes >> i & 1 && !s[i])
			return false;
	return s;
}

u8 uninit_fresh(u64 addr)
{
	const u8 *s = addr - ARENA_BASE < ARENA_SPAN ? uninit_shadow(addr, 8) : NULL;
	u8 fresh = 0;

	for (u32 i = 0; s && i < 8; i++)
		fresh |= (u8)(s[i] << i);
	return fresh;
}

/* Is it the fill pattern of malloc(), not a value stored by code that is not instrumented? */
static bool is_fresh(u64 addr, u32 bytes, const u64 value[2])
{
	struct arena_view v;

	if (!fresh_has(addr, value, bytes))
		return false;
	if (__builtin_popcount(bytes) >= FRESH_SURE)
		return true;
	return arena_view(addr, &v) && v.thread == M.cur->slot && v.nth > M.cur->foreign;
}

static void fail(u64 addr, u32 size, const struct arena_view *v)
{
	struct heap_fault f = {.what = HEAP_UNINIT, .kind = EV_READ, .addr = addr, .size = size,
		.freer = -1, .start = v->start, .block_size = v->size};
	char words[200];

	heap_describe(&f, words, sizeof words);
	machine_fail_at(addr, FINDING_UNINIT, "%s", words);
}

static void check_used(u64 addr, u32 size, u32 bytes, const u64 value[2])
{
	struct arena_view v;

	if (unlikely(uninit_bytes(addr, bytes)) && is_fresh(addr, bytes, value) &&
		arena_view(addr, &v))
		fail(addr, size, &v);
}

/* On store buffers. In a graph the label has this for the initial value. */
static void check_atomic(u64 addr, u32 size, const u64 value[2])
{
	struct arena_view v;

	if (size >= FRESH_SURE && M.engine->schedules && stack_check_expects(FINDING_UNINIT) &&
		M.options->detect & DETECT_UNWRITTEN &&
		unlikely(fresh_has(addr, value, (1u << size) - 1)) && arena_view(addr, &v))
		fail(addr, size, &v);
}

void uninit_value(u64 addr, u32 size, int order, u16 flags, const u64 value[2])
{
	bool atomic = !(flags & EVENT_PLAIN) && !(order & (HEDDLE_VOLATILE | HEDDLE_ASM));
	u32 bytes = (u32)order >> HEDDLE_USED & ((1u << size) - 1);

	if (stack_has(addr))
		stack_check_value(addr, value, atomic ? (1u << size) - 1 : bytes);
	else if (addr - ARENA_BASE >= ARENA_SPAN)
		return;
	else if (unlikely(uninit_on) && bytes)
		check_used(addr, size, bytes, value);
	else if (atomic && heap_watched)
		check_atomic(addr, size, value);
}

void uninit_foreign(void)
{
	if (unlikely(uninit_on))
		M.cur->foreign = heap_blocks(M.cur->slot);
}
