/* SPDX-License-Identifier: ISC */
/*
 * tsan.c - the entry points of code compiled by gcc and clang with -fsanitize=thread.
 *
 * Atomics and fences pass their values, like those of the compiler pass. Plain and volatile
 * accesses are only announced, with their address (machine/execution/tsan_store.h). Loads and RMWs
 * enter through arch/entry.def. tools/help/build.txt lists the differences from the compiler pass.
 */
#include "intercept/entry.h"
#include "machine/access/access.h"
#include "machine/execution/tsan_store.h"

#include <heddle/abi.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define CODE   __builtin_return_address(0)

void native_tsan(const void *p);

void native_tsan(const void *p)
{
}

/* --- loads ----------------------------------------------------------------------------------- */

/* errno is switched with the threads, and no other thread's. */
static bool is_errno(const void *p)
{
	return p == fiber_errno;
}

/* The value of a plain read is already in memory, except where a race was ignored, or reported and
 * the other threads continue. */
static void plain_read(const void *p, u32 size)
{
	u64 v[2];

	if (unlikely(is_errno(p)))
		return;
	if (thread_overlaps_store((u64)(uintptr_t)p, size))
		machine_drain();
	access_load(p, size, 0, EVENT_PLAIN, v);
	if (M.engine->late)
		tsan_store_show(p, size, v);
}

static void volatile_read(const void *p, u32 size)
{
	u64 v[2];

	access_load(p, size, HEDDLE_VOLATILE, 0, v);
	tsan_store_show(p, size, v);
}

#define READS(size)                                                                                \
	void explore_tsan_read##size(const void *p);                                               \
	void explore_tsan_volatile_read##size(const void *p);                                      \
	void explore_tsan_read##size(const void *p)                                                \
	{                                                                                          \
		plain_read(p, size);                                                               \
	}                                                                                          \
	void explore_tsan_volatile_read##size(const void *p)                                       \
	{                                                                                          \
		volatile_read(p, size);                                                            \
	}

READS(1)
READS(2)
READS(4)
READS(8)
READS(16)

void explore_tsan_read_range(const void *p, size_t n);

/* gcc announces the store of a copy first, then the load. */
void explore_tsan_read_range(const void *p, size_t n)
{
	char private[LATE_MAX];
	struct tsan_store copy = tsan_store_put_aside();

	if (thread_overlaps_store((u64)(uintptr_t)p, n))
		machine_drain();
	for (size_t i = 0, part; i < n; i += part) {
		part = n - i < sizeof private ? n - i : sizeof private;
		machine_read(private, (const char *)p + i, part);
	}
	tsan_store_resume(&copy);
	if (unlikely(M.engine->late))
		tsan_store_show(p, n, private);
}

/* --- stores ---------------------------------------------------------------------------------- */

#define WRITE(name, size, order)                                                                   \
	EXPORT void __tsan_##name(void *p);                                                        \
	void __tsan_##name(void *p)                                                                \
	{                                                                                          \
		if (unlikely(machine_entered()) && !is_errno(p))                                   \
			tsan_store(p, size, order, CODE);                                          \
	}

#define WRITES(size)                                                                               \
	WRITE(write##size, size, 0)                                                                \
	WRITE(unaligned_write##size, size, 0)                                                      \
	WRITE(volatile_write##size, size, HEDDLE_VOLATILE)                                         \
	WRITE(unaligned_volatile_write##size, size, HEDDLE_VOLATILE)                               \
	/* clang, for x++: the store races as the load would */                              \
	WRITE(read_write##size, size, 0)                                                           \
	WRITE(unaligned_read_write##size, size, 0)

WRITES(1)
WRITES(2)
WRITES(4)
WRITES(8)
WRITES(16)

EXPORT void __tsan_vptr_update(void **p, void *value);
EXPORT void __tsan_write_range(void *p, size_t n);

/* The constructor of each class stores the same pointer again, and that is no race. */
void __tsan_vptr_update(void **p, void *value)
{
	if (unlikely(machine_entered()) && *p != value)
		tsan_store(p, sizeof *p, 0, CODE);
}

void __tsan_write_range(void *p, size_t n)
{
	if (unlikely(machine_entered()))
		tsan_store(p, n, 0, CODE);
}

/* --- atomics --------------------------------------------------------------------------------- */

#define ATOMIC(bits, size, type) \
	EXPORT void __tsan_atomic##bits##_store(void *p, type v, int order); \
	type native_tsan_cas##size(void *p, type expected, type v, int order, int fail); \
	type explore_tsan_cas##size(void *p, type expected, type v, int order, int fail); \
	void __tsan_atomic##bits##_store(void *p, type v, int order) \
	{ \
		machine_site = (u64)(uintptr_t)CODE; \
		if (!machine_entered()) { \
			native_store##size(p, v, order &HEDDLE_ORDER_MASK); \
			return; \
		} \
		machine_site = (u64)(uintptr_t)CODE; \
		access_store(p, size, (u64[2]){(u64)v, (u64)((u128)v >> 64)}, \
			order &HEDDLE_ORDER_MASK, 0); \
		tsan_store_own_stack(p); \
	} \
	type native_tsan_cas##size(void *p, type expected, type v, int order, int fail) \
	{ \
		native_cas##size(p, &expected, v, 0); \
		return expected; \
	} \
	type explore_tsan_cas##size(void *p, type expected, type v, int order, int fail) \
	{ \
		explore_cas##size(p, &expected, v, \
			(order & HEDDLE_ORDER_MASK) | (fail & HEDDLE_ORDER_MASK) << 8); \
		return expected; \
	}

ATOMIC(8, 1, u8)
ATOMIC(16, 2, u16)
ATOMIC(32, 4, u32)
ATOMIC(64, 8, u64)
ATOMIC(128, 16, u128)

EXPORT void __tsan_atomic_thread_fence(int order);
EXPORT void __tsan_atomic_signal_fence(int order);

void __tsan_atomic_thread_fence(int order)
{
	if (!machine_entered()) {
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		return;
	}
	machine_site = (u64)(uintptr_t)CODE;
	access_fence(order & HEDDLE_ORDER_MASK);
}

void __tsan_atomic_signal_fence(int order)
{
}

/* --- the rest -------------------------------------------------------------------------------- */

EXPORT void __tsan_func_entry(void *pc);
EXPORT void __tsan_func_exit(void);
EXPORT void *__tsan_memcpy(void *to, const void *from, size_t n);
EXPORT void *__tsan_memmove(void *to, const void *from, size_t n);
EXPORT void *__tsan_memset(void *to, int byte, size_t n);
EXPORT void __heddle_tsan_init(void);
EXPORT void __heddle_tsan_reads(void);

/* Stacks come from the unwinder. */
void __tsan_func_entry(void *pc)
{
}

/* The last announced store may be to a local variable, whose frame is about to end. */
void __tsan_func_exit(void)
{
	machine_entered();
}

void *__tsan_memcpy(void *to, const void *from, size_t n)
{
	return __heddle_memcpy(to, from, n);
}

void *__tsan_memmove(void *to, const void *from, size_t n)
{
	return __heddle_memmove(to, from, n);
}

void *__tsan_memset(void *to, int byte, size_t n)
{
	return __heddle_memset(to, byte, n);
}

/* Called by each object's constructor. */
void __heddle_tsan_init(void)
{
	tsan_store_used = true;
}

/* Called where all objects are gcc's, which announces every load. */
void __heddle_tsan_reads(void)
{
	tsan_store_reads = false;
}
