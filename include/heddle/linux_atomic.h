/* SPDX-License-Identifier: ISC */
/*
 * linux_atomic.h - the Linux kernel's read-modify-writes (atomic_t.txt): part of linux.h.
 *
 * Those that return a value and have no suffix are fully ordered, by smp_mb() before and after;
 * without a value, or with _relaxed, not at all. Those that fail order nothing under --model lkmm;
 * machines have both barriers.
 *
 * Thread-safety: any thread may use everything at any time.
 */
#ifndef HEDDLE_LINUX_ATOMIC_H
#define HEDDLE_LINUX_ATOMIC_H

#include "linux.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The operation, with smp_mb() before and after it. */
#define HEDDLE_LINUX_FULL(operation)                                                               \
	__extension__({                                                                            \
		HEDDLE_LINUX_FENCE(__ATOMIC_SEQ_CST, HEDDLE_FENCE_AROUND);                         \
		__typeof__(operation) heddle_result = (operation);                                 \
		HEDDLE_LINUX_FENCE(__ATOMIC_SEQ_CST, HEDDLE_FENCE_AROUND);                         \
		heddle_result;                                                                     \
	})

/* An exchange whose value is not used stays one: a compiler may make it a store otherwise, which no
 * full barrier is around. Likewise the addition of nothing. */
#define HEDDLE_LINUX_KEPT(p) ((volatile __typeof__(*(p)) *)(p))

#define xchg_relaxed(p, v) __atomic_exchange_n(HEDDLE_LINUX_KEPT(p), (v), __ATOMIC_RELAXED)
#define xchg_acquire(p, v) __atomic_exchange_n(HEDDLE_LINUX_KEPT(p), (v), __ATOMIC_ACQUIRE)
#define xchg_release(p, v) __atomic_exchange_n(HEDDLE_LINUX_KEPT(p), (v), __ATOMIC_RELEASE)
#define xchg(p, v)	   HEDDLE_LINUX_FULL(xchg_relaxed(p, v))

/* The value found: the old one, if it is `from', which `to' has replaced then. */
#define HEDDLE_LINUX_CAS(p, from, to, order)                                                       \
	__extension__({                                                                            \
		__typeof__(*(p)) heddle_found = (from);                                            \
		__atomic_compare_exchange_n(                                                       \
			(p), &heddle_found, (to), false, (order), __ATOMIC_RELAXED);               \
		heddle_found;                                                                      \
	})
#define cmpxchg_relaxed(p, from, to) HEDDLE_LINUX_CAS(p, from, to, __ATOMIC_RELAXED)
#define cmpxchg_acquire(p, from, to) HEDDLE_LINUX_CAS(p, from, to, __ATOMIC_ACQUIRE)
#define cmpxchg_release(p, from, to) HEDDLE_LINUX_CAS(p, from, to, __ATOMIC_RELEASE)
#define cmpxchg(p, from, to)	     HEDDLE_LINUX_FULL(cmpxchg_relaxed(p, from, to))

typedef struct {
	int counter;
} atomic_t;
typedef struct {
	int64_t counter;
} atomic64_t;

#define ATOMIC_INIT(i)	 {(i)}
#define ATOMIC64_INIT(i) {(i)}

/*
 * atomic_read() and so on, for atomic_t and atomic64_t: NAME is the beginning of the names.
 * Suffixes of operations with a value: none, _relaxed, _acquire, _release.
 */
#define HEDDLE_LINUX_VARIANTS(NAME, type, value, operation, builtin, result)                       \
	static inline HEDDLE_PRIMITIVE value NAME##operation##_relaxed(value i, type *v)           \
	{                                                                                          \
		return builtin(HEDDLE_LINUX_KEPT(&v->counter), i, __ATOMIC_RELAXED) result;        \
	}                                                                                          \
	static inline HEDDLE_PRIMITIVE value NAME##operation##_acquire(value i, type *v)           \
	{                                                                                          \
		return builtin(HEDDLE_LINUX_KEPT(&v->counter), i, __ATOMIC_ACQUIRE) result;        \
	}                                                                                          \
	static inline HEDDLE_PRIMITIVE value NAME##operation##_release(value i, type *v)           \
	{                                                                                          \
		return builtin(HEDDLE_LINUX_KEPT(&v->counter), i, __ATOMIC_RELEASE) result;        \
	}                                                                                          \
	static inline HEDDLE_PRIMITIVE value NAME##operation(value i, type *v)                     \
	{                                                                                          \
		return HEDDLE_LINUX_FULL(NAME##operation##_relaxed(i, v));                         \
	}

/* An instruction without a result: smp_rmb() does not order its load. */
#define HEDDLE_LINUX_WITHOUT_VALUE(NAME, type, value, bits, operation, OPERATION)                  \
	static inline HEDDLE_PRIMITIVE void NAME##operation(value i, type *v)                      \
	{                                                                                          \
		if (__heddle_rmw##bits)                                                            \
			__heddle_rmw##bits(&v->counter, i, HEDDLE_##OPERATION, HEDDLE_NO_RESULT);  \
		else                                                                               \
			__atomic_fetch_##operation(&v->counter, i, __ATOMIC_RELAXED);              \
	}

#define HEDDLE_LINUX_ATOMIC(NAME, type, value, bits)                                       \
	static inline HEDDLE_PRIMITIVE value NAME##read(const type *v)                             \
	{                                                                                          \
		return READ_ONCE(v->counter);                                                      \
	}                                                                                          \
	static inline HEDDLE_PRIMITIVE value NAME##read_acquire(const type *v)                     \
	{                                                                                          \
		return smp_load_acquire(&v->counter);                                              \
	}                                                                                          \
	static inline HEDDLE_PRIMITIVE void NAME##set(type *v, value i)                            \
	{                                                                                          \
		WRITE_ONCE(v->counter, i);                                                         \
	}                                                                                          \
	static inline HEDDLE_PRIMITIVE void NAME##set_release(type *v, value i)                    \
	{                                                                                          \
		smp_store_release(&v->counter, i);                                                 \
	}                                                                                          \
	HEDDLE_LINUX_WITHOUT_VALUE(NAME, type, value, bits, add, ADD)                              \
	HEDDLE_LINUX_WITHOUT_VALUE(NAME, type, value, bits, sub, SUB)                              \
	HEDDLE_LINUX_WITHOUT_VALUE(NAME, type, value, bits, and, AND)                              \
	HEDDLE_LINUX_WITHOUT_VALUE(NAME, type, value, bits, or, OR)                                \
	HEDDLE_LINUX_WITHOUT_VALUE(NAME, type, value, bits, xor, XOR)                              \
	HEDDLE_LINUX_VARIANTS(NAME, type, value, add_return, __atomic_fetch_add, +i)               \
	HEDDLE_LINUX_VARIANTS(NAME, type, value, sub_return, __atomic_fetch_sub, -i)               \
	HEDDLE_LINUX_VARIANTS(NAME, type, value, fetch_add, __atomic_fetch_add, )                  \
	HEDDLE_LINUX_VARIANTS(NAME, type, value, fetch_sub, __atomic_fetch_sub, )                  \
	HEDDLE_LINUX_VARIANTS(NAME, type, value, fetch_and, __atomic_fetch_and, )                  \
	HEDDLE_LINUX_VARIANTS(NAME, type, value, fetch_or, __atomic_fetch_or, )                    \
	HEDDLE_LINUX_VARIANTS(NAME, type, value, fetch_xor, __atomic_fetch_xor, )

HEDDLE_LINUX_ATOMIC(atomic_, atomic_t, int, 4)
HEDDLE_LINUX_ATOMIC(atomic64_, atomic64_t, int64_t, 8)

#define atomic_inc(v)			     atomic_add(1, v)
#define atomic_dec(v)			     atomic_sub(1, v)
#define atomic_inc_return(v)		     atomic_add_return(1, v)
#define atomic_dec_return(v)		     atomic_sub_return(1, v)
#define atomic_fetch_inc(v)		     atomic_fetch_add(1, v)
#define atomic_fetch_dec(v)		     atomic_fetch_sub(1, v)
#define atomic_inc_and_test(v)		     (atomic_add_return(1, v) == 0)
#define atomic_dec_and_test(v)		     (atomic_sub_return(1, v) == 0)
#define atomic_xchg(v, i)		     xchg(&(v)->counter, i)
#define atomic_xchg_relaxed(v, i)	     xchg_relaxed(&(v)->counter, i)
#define atomic_xchg_acquire(v, i)	     xchg_acquire(&(v)->counter, i)
#define atomic_xchg_release(v, i)	     xchg_release(&(v)->counter, i)
#define atomic_cmpxchg(v, from, to)	     cmpxchg(&(v)->counter, from, to)
#define atomic_cmpxchg_relaxed(v, from, to)  cmpxchg_relaxed(&(v)->counter, from, to)
#define atomic_cmpxchg_acquire(v, from, to)  cmpxchg_acquire(&(v)->counter, from, to)
#define atomic_cmpxchg_release(v, from, to)  cmpxchg_release(&(v)->counter, from, to)

/* As cmpxchg(), by *from, which gets the value found. True: it has been replaced. */
#define HEDDLE_LINUX_TRY(suffix, order)                                                            \
	static inline HEDDLE_PRIMITIVE bool atomic_try_cmpxchg##suffix(                            \
		atomic_t *v, int *from, int to)                                                    \
	{                                                                                          \
		return __atomic_compare_exchange_n(                                                \
			&v->counter, from, to, false, order, __ATOMIC_RELAXED);                    \
	}
HEDDLE_LINUX_TRY(_relaxed, __ATOMIC_RELAXED)
HEDDLE_LINUX_TRY(_acquire, __ATOMIC_ACQUIRE)
HEDDLE_LINUX_TRY(_release, __ATOMIC_RELEASE)

static inline HEDDLE_PRIMITIVE bool atomic_try_cmpxchg(atomic_t *v, int *from, int to)
{
	return HEDDLE_LINUX_FULL(atomic_try_cmpxchg_relaxed(v, from, to));
}

/* Add, unless it has that value. Returns whether it was added. */
static inline HEDDLE_PRIMITIVE bool atomic_add_unless(atomic_t *v, int i, int not_this)
{
	int old = atomic_read(v);

	while (old != not_this)
		if (atomic_try_cmpxchg(v, &old, old + i))
			return true;
	return false;
}
#define atomic_inc_not_zero(v) atomic_add_unless(v, 1, 0)

#ifdef __cplusplus
}
#endif

#endif
