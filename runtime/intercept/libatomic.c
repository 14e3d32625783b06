/* SPDX-License-Identifier: ISC */
/*
 * libatomic.c - the functions that compilers call for atomic accesses they do not inline.
 *
 * Programs need no -latomic: sizes for which the machine has instructions go to the entry points of
 * the compiler pass; any other size is a plain copy under a lock that is chosen by the address, as
 * in libatomic. While exploring that lock is one of the machine's. The functions' arguments may lie
 * in memory whose stores are still buffered, so they, too, are read as plain accesses.
 */
#include "intercept/intercept.h"
#include "override/override.h"
#include "machine/wait/sync.h"
#include "object/mutex.h"
#include "process/bytes.h"

#include <heddle/abi.h>

#define NAMED(name)	__asm__(name)
/* Before the call that makes the access: attribute it to the caller (override/override.h). */
#define OF_CALLER \
	(unlikely(override_on) \
			? (void)(override_caller = (u64)(uintptr_t)__builtin_return_address(0)) \
			: (void)0)
#define ORDERS(success, failure) ((success) | (failure) << 8)

/* --- sizes that are native ------------------------------------------------------------------- */

#define FETCH(size, type, name, op, combined)                                                      \
	INTERCEPT type atomic_fetch_##name##size(void *p, type v, int order)                       \
		NAMED("__atomic_fetch_" #name "_" #size);                                          \
	type atomic_fetch_##name##size(void *p, type v, int order)                                 \
	{                                                                                          \
		OF_CALLER;                                                                         \
		return __heddle_rmw##size(p, v, op, order);                                        \
	}                                                                                          \
	INTERCEPT type atomic_##name##_fetch##size(void *p, type v, int order)                     \
		NAMED("__atomic_" #name "_fetch_" #size);                                          \
	type atomic_##name##_fetch##size(void *p, type v, int order)                               \
	{                                                                                          \
		type old;                                                                          \
                                                                                                   \
		OF_CALLER;                                                                         \
		old = __heddle_rmw##size(p, v, op, order);                                         \
		return (type)(combined);                                                           \
	}

#define SIZED(size, type)                                                                          \
	INTERCEPT type atomic_load##size(const void *p, int order)                                 \
		NAMED("__atomic_load_" #size);                                                     \
	type atomic_load##size(const void *p, int order)                                           \
	{                                                                                          \
		OF_CALLER;                                                                         \
		return __heddle_load##size(p, order);                                              \
	}                                                                                          \
	INTERCEPT void atomic_store##size(void *p, type v, int order)                              \
		NAMED("__atomic_store_" #size);                                                    \
	void atomic_store##size(void *p, type v, int order)                                        \
	{                                                                                          \
		OF_CALLER;                                                                         \
		__heddle_store##size(p, v, order);                                                 \
	}                                                                                          \
	INTERCEPT type atomic_exchange##size(void *p, type v, int order)                           \
		NAMED("__atomic_exchange_" #size);                                                 \
	type atomic_exchange##size(void *p, type v, int order)                                     \
	{                                                                                          \
		OF_CALLER;                                                                         \
		return __heddle_rmw##size(p, v, HEDDLE_XCHG, order);                               \
	}                                                                                          \
	INTERCEPT bool atomic_cas##size(void *p, void *expected, type v, int success, int failure) \
		NAMED("__atomic_compare_exchange_" #size);                                         \
	bool atomic_cas##size(void *p, void *expected, type v, int success, int failure)           \
	{                                                                                          \
		type e = __heddle_plain_load##size(expected);                                      \
                                                                                                   \
		OF_CALLER;                                                                         \
		if (__heddle_cas##size(p, &e, v, ORDERS(success, failure)))                        \
			return true;                                                               \
		__heddle_plain_store##size(expected, e);                                           \
		return false;                                                                      \
	}                                                                                          \
	FETCH(size, type, add, HEDDLE_ADD, old + v)                                                \
	FETCH(size, type, sub, HEDDLE_SUB, old - v)                                                \
	FETCH(size, type, and, HEDDLE_AND, old & v)                                                \
	FETCH(size, type, nand, HEDDLE_NAND, ~(old & v))                                           \
	FETCH(size, type, or, HEDDLE_OR, old | v)                                                  \
	FETCH(size, type, xor, HEDDLE_XOR, old ^ v)

SIZED(1, u8)
SIZED(2, u16)
SIZED(4, u32)
SIZED(8, u64)
SIZED(16, u128)

static bool is_native(size_t n, const void *p)
{
	return n && n <= 16 && !(n & (n - 1)) && !((uintptr_t)p & (n - 1));
}

INTERCEPT bool atomic_is_lock_free(size_t n, const void *p) NAMED("__atomic_is_lock_free");
bool atomic_is_lock_free(size_t n, const void *p)
{
	return is_native(n, p);
}

/* --- any other size: under a lock ------------------------------------------------------------ */

#define LOCKS 16

static PER_EXECUTION u16 explored_locks[LOCKS]; /* 0 = free, else thread id + 1 */
static int native_locks[LOCKS];

static unsigned lock_number(const void *p)
{
	return (unsigned)((uintptr_t)p / 64 % LOCKS);
}

/* As object.h has it. */
static u64 lock_state(const void *obj)
{
	return *(const u16 *)obj;
}

static int lock_holder(const void *obj)
{
	return *(const u16 *)obj - 1;
}

SYNC_WAITS(op_lock, EV_LOCK, lock_holder, OBJECT_LOCK, mutex, lock_state);
SYNC_OP(op_unlock, EV_UNLOCK, OBJECT_UNLOCK, mutex, lock_state);

static void lock(const void *p)
{
	unsigned i = lock_number(p);

	if (!machine_entered()) {
		while (__atomic_exchange_n(&native_locks[i], 1, __ATOMIC_ACQUIRE))
			sched_yield();
		return;
	}
	sync_arrive(&op_lock, &explored_locks[i]);
	explored_locks[i] = (u16)(thread_id(thread_self()) + 1);
	sync_changed(&explored_locks[i]);
	sync_event(EV_LOCK, p, 0, 0);
}

static void unlock(const void *p)
{
	unsigned i = lock_number(p);

	if (!machine_entered()) {
		__atomic_store_n(&native_locks[i], 0, __ATOMIC_RELEASE);
		return;
	}
	sync_arrive(&op_unlock, &explored_locks[i]);
	explored_locks[i] = 0;
	sync_changed(&explored_locks[i]);
	sync_event(EV_UNLOCK, p, 0, 0);
}

static void give_result(const void *caller, void *to, const void *from, size_t n)
{
	if (machine_entered())
		give(caller, to, from, n);
	else
		memcpy(to, from, n);
}

/* Calls of these functions with a native size go to the entry points. */
#define SIZES(n, CASE)                                                                             \
	switch (n) {                                                                               \
		CASE(1, u8)                                                                        \
		CASE(2, u16)                                                                       \
		CASE(4, u32)                                                                       \
		CASE(8, u64)                                                                       \
		CASE(16, u128)                                                                     \
	}

INTERCEPT void atomic_load_any(size_t n, const void *p, void *to, int order)
	NAMED("__atomic_load");
void atomic_load_any(size_t n, const void *p, void *to, int order)
{
	const void *caller = __builtin_return_address(0);
	char found[n];

#define CASE(size, type)                                                                           \
	case size: {                                                                               \
		type v = __heddle_load##size(p, order);                                            \
                                                                                                   \
		give_result(caller, to, &v, size);                                                 \
		return;                                                                            \
	}
	if (is_native(n, p))
		SIZES(n, CASE)
#undef CASE
	lock(p);
	__heddle_plain_read(found, p, n);
	unlock(p);
	give_result(caller, to, found, n);
}

INTERCEPT void atomic_store_any(size_t n, void *p, const void *from, int order)
	NAMED("__atomic_store");
void atomic_store_any(size_t n, void *p, const void *from, int order)
{
#define CASE(size, type)                                                                           \
	case size: __heddle_store##size(p, __heddle_plain_load##size(from), order); return;
	if (is_native(n, p))
		SIZES(n, CASE)
#undef CASE
	lock(p);
	__heddle_memcpy(p, from, n);
	unlock(p);
}

INTERCEPT void atomic_exchange_any(size_t n, void *p, const void *from, void *to, int order)
	NAMED("__atomic_exchange");
void atomic_exchange_any(size_t n, void *p, const void *from, void *to, int order)
{
	const void *caller = __builtin_return_address(0);
	char new[n], old[n]; /* `from` and `to` may be the same */

	__heddle_plain_read(new, from, n);
#define CASE(size, type)                                                                           \
	case size: {                                                                               \
		type v;                                                                            \
                                                                                                   \
		memcpy(&v, new, size);                                                             \
		v = __heddle_rmw##size(p, v, HEDDLE_XCHG, order);                                  \
		give_result(caller, to, &v, size);                                                 \
		return;                                                                            \
	}
	if (is_native(n, p))
		SIZES(n, CASE)
#undef CASE
	lock(p);
	__heddle_plain_read(old, p, n);
	__heddle_plain_write(p, new, n);
	unlock(p);
	give_result(caller, to, old, n);
}

/* The result for a native size, else -1. */
static int cas_native(size_t n, void *p, void *expected, const void *desired, int orders)
{
#define CASE(size, type)                                                                           \
	case size: {                                                                               \
		type e = __heddle_plain_load##size(expected);                                      \
                                                                                                   \
		if (__heddle_cas##size(p, &e, __heddle_plain_load##size(desired), orders))         \
			return 1;                                                                  \
		__heddle_plain_store##size(expected, e);                                           \
		return 0;                                                                          \
	}
	if (is_native(n, p))
		SIZES(n, CASE)
#undef CASE
	return -1;
}

INTERCEPT bool atomic_cas_any(
	size_t n, void *p, void *expected, const void *desired, int success, int failure)
	NAMED("__atomic_compare_exchange");
bool atomic_cas_any(
	size_t n, void *p, void *expected, const void *desired, int success, int failure)
{
	char found[n], wanted[n];
	int done = cas_native(n, p, expected, desired, ORDERS(success, failure));

	if (done >= 0)
		return done;
	__heddle_plain_read(wanted, expected, n);
	lock(p);
	__heddle_plain_read(found, p, n);
	done = bytes_equal(found, wanted, n);
	if (done)
		__heddle_memcpy(p, desired, n);
	unlock(p);
	if (!done)
		give_result(__builtin_return_address(0), expected, found, n);
	return done;
}
