/* SPDX-License-Identifier: ISC */
/*
 * linux.h - the Linux kernel's accesses, barriers and atomic operations by their documented meaning
 * (memory-barriers.txt, atomic_t.txt, rcu_dereference.rst), so that its code can be tested as it is
 * written; and the barrier instructions of ARMv8 and POWER by name, on any machine.
 *
 * `heddle help linux' has examples. A program that includes it may not include <stdatomic.h>, which
 * gives some of these names another meaning. Without the runtime everything works natively;
 * barriers are full ones then.
 *
 * Each barrier is explored as the model's machine has it: smp_rmb() is dmb ishld, lwsync, or fence
 * r,r. An instruction of another machine is the C fence that is closest: dmb ishst under power
 * orders like a release fence there, isb under riscv nothing.
 *
 * Read-modify-writes that return a value and have no suffix are fully ordered, by smp_mb() before
 * and after; without a value, or with _relaxed, not at all. Those that fail order no more than the
 * first smp_mb().
 *
 * Thread-safety: any thread may use everything at any time.
 */
#ifndef HEDDLE_LINUX_H
#define HEDDLE_LINUX_H

#ifdef ATOMIC_FLAG_INIT
#error "heddle/linux.h: not together with <stdatomic.h>: both define atomic_fetch_add() and others"
#endif

#include <stdbool.h>
#include "abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- barriers --------------------------------------------------------------------------------- */

void __heddle_fence(int order) __attribute__((weak));

/* The compiler moves no access across it; the machine may. */
#define barrier() __asm__ volatile("" : : : "memory")

static inline __attribute__((always_inline)) void heddle_linux_fence(int order)
{
	barrier();
	if (__heddle_fence)
		__heddle_fence(order);
	else
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	barrier();
}

/* barrier(), too: all accesses, loads, stores before and after it stay in order. */
#define HEDDLE_LINUX_FENCE(order, kind) heddle_linux_fence((order) | (kind) << HEDDLE_FENCE)
#define smp_mb()  HEDDLE_LINUX_FENCE(__ATOMIC_SEQ_CST, HEDDLE_FENCE_FULL)
#define smp_rmb() HEDDLE_LINUX_FENCE(__ATOMIC_ACQUIRE, HEDDLE_FENCE_READS)
#define smp_wmb() HEDDLE_LINUX_FENCE(__ATOMIC_RELEASE, HEDDLE_FENCE_STORES)

/* ARMv8: dmb(ish), dmb(ishld), dmb(ishst); dsb() likewise, but dsb(ishst) keeps stores before later
 * loads, too, and is a full barrier here; isb(). */
#define dmb(kind)	 HEDDLE_LINUX_DMB_##kind()
#define dsb(kind)	 HEDDLE_LINUX_DSB_##kind()
#define isb()		 HEDDLE_LINUX_FENCE(__ATOMIC_RELAXED, HEDDLE_FENCE_CONTEXT)
#define HEDDLE_LINUX_LD() HEDDLE_LINUX_FENCE(__ATOMIC_ACQUIRE, HEDDLE_FENCE_LOADS)
#define HEDDLE_LINUX_DMB_sy()	 smp_mb()
#define HEDDLE_LINUX_DMB_ish()	 smp_mb()
#define HEDDLE_LINUX_DMB_ld()	 HEDDLE_LINUX_LD()
#define HEDDLE_LINUX_DMB_ishld() HEDDLE_LINUX_LD()
#define HEDDLE_LINUX_DMB_st()	 smp_wmb()
#define HEDDLE_LINUX_DMB_ishst() smp_wmb()
#define HEDDLE_LINUX_DSB_sy()	 smp_mb()
#define HEDDLE_LINUX_DSB_ish()	 smp_mb()
#define HEDDLE_LINUX_DSB_ld()	 HEDDLE_LINUX_LD()
#define HEDDLE_LINUX_DSB_ishld() HEDDLE_LINUX_LD()
#define HEDDLE_LINUX_DSB_st()	 smp_mb()
#define HEDDLE_LINUX_DSB_ishst() smp_mb()

/* POWER: sync, which as a function flushes files; lwsync; isync. */
#define hwsync() smp_mb()
#define lwsync() HEDDLE_LINUX_FENCE(__ATOMIC_ACQ_REL, HEDDLE_FENCE_LIGHT)
#define isync()	 isb()

#define smp_mb__before_atomic() smp_mb()
#define smp_mb__after_atomic()	smp_mb()

/* In a loop that waits. */
#define cpu_relax() __builtin_ia32_pause()

/* --- accesses --------------------------------------------------------------------------------- */

/* One access, not repeated, not left out. Orders nothing. */
#define READ_ONCE(x)	 (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) ((void)(*(volatile __typeof__(x) *)&(x) = (v)))

/* *p, before all later accesses. / *p = v, after all earlier ones. / x = v; smp_mb(). */
#define smp_load_acquire(p)	__atomic_load_n((p), __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define smp_store_mb(x, v)	(WRITE_ONCE(x, v), smp_mb())

/* --- RCU: pointers ---------------------------------------------------------------------------- */

/* The pointer; accesses by it come after this one, if the compiler keeps the dependency. / The same
 * where it is not followed. / Publish v: *v is initialised before. / Before others can see p. */
#define rcu_dereference(p)		 READ_ONCE(p)
#define rcu_dereference_check(p, c)	 READ_ONCE(p)
#define rcu_dereference_protected(p, c)	 (p)
#define rcu_access_pointer(p)		 READ_ONCE(p)
#define rcu_assign_pointer(p, v)	 smp_store_release(&(p), (v))
#define RCU_INIT_POINTER(p, v)		 WRITE_ONCE(p, v)

/* --- read-modify-writes ----------------------------------------------------------------------- */

/* The operation, with smp_mb() before and after it. */
#define HEDDLE_LINUX_FULL(operation)                                                               \
	__extension__({                                                                            \
		smp_mb();                                                                          \
		__typeof__(operation) heddle_result = (operation);                                 \
		smp_mb();                                                                          \
		heddle_result;                                                                     \
	})

#define xchg_relaxed(p, v) __atomic_exchange_n((p), (v), __ATOMIC_RELAXED)
#define xchg_acquire(p, v) __atomic_exchange_n((p), (v), __ATOMIC_ACQUIRE)
#define xchg_release(p, v) __atomic_exchange_n((p), (v), __ATOMIC_RELEASE)
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
	static inline value NAME##operation##_relaxed(value i, type *v)                            \
	{                                                                                          \
		return builtin(&v->counter, i, __ATOMIC_RELAXED) result;                           \
	}                                                                                          \
	static inline value NAME##operation##_acquire(value i, type *v)                            \
	{                                                                                          \
		return builtin(&v->counter, i, __ATOMIC_ACQUIRE) result;                           \
	}                                                                                          \
	static inline value NAME##operation##_release(value i, type *v)                            \
	{                                                                                          \
		return builtin(&v->counter, i, __ATOMIC_RELEASE) result;                           \
	}                                                                                          \
	static inline value NAME##operation(value i, type *v)                                      \
	{                                                                                          \
		return HEDDLE_LINUX_FULL(NAME##operation##_relaxed(i, v));                         \
	}

#define HEDDLE_LINUX_WITHOUT_VALUE(NAME, type, value, operation)                                   \
	static inline void NAME##operation(value i, type *v)                                       \
	{                                                                                          \
		__atomic_fetch_##operation(&v->counter, i, __ATOMIC_RELAXED);                      \
	}

#define HEDDLE_LINUX_ATOMIC(NAME, type, value)                                                     \
	static inline value NAME##read(const type *v)                                              \
	{                                                                                          \
		return READ_ONCE(v->counter);                                                      \
	}                                                                                          \
	static inline value NAME##read_acquire(const type *v)                                      \
	{                                                                                          \
		return smp_load_acquire(&v->counter);                                              \
	}                                                                                          \
	static inline void NAME##set(type *v, value i)                                             \
	{                                                                                          \
		WRITE_ONCE(v->counter, i);                                                         \
	}                                                                                          \
	static inline void NAME##set_release(type *v, value i)                                     \
	{                                                                                          \
		smp_store_release(&v->counter, i);                                                 \
	}                                                                                          \
	HEDDLE_LINUX_WITHOUT_VALUE(NAME, type, value, add)                                         \
	HEDDLE_LINUX_WITHOUT_VALUE(NAME, type, value, sub)                                         \
	HEDDLE_LINUX_WITHOUT_VALUE(NAME, type, value, and)                                         \
	HEDDLE_LINUX_WITHOUT_VALUE(NAME, type, value, or)                                          \
	HEDDLE_LINUX_WITHOUT_VALUE(NAME, type, value, xor)                                         \
	HEDDLE_LINUX_VARIANTS(NAME, type, value, add_return, __atomic_fetch_add, +i)               \
	HEDDLE_LINUX_VARIANTS(NAME, type, value, sub_return, __atomic_fetch_sub, -i)               \
	HEDDLE_LINUX_VARIANTS(NAME, type, value, fetch_add, __atomic_fetch_add, )                  \
	HEDDLE_LINUX_VARIANTS(NAME, type, value, fetch_sub, __atomic_fetch_sub, )                  \
	HEDDLE_LINUX_VARIANTS(NAME, type, value, fetch_and, __atomic_fetch_and, )                  \
	HEDDLE_LINUX_VARIANTS(NAME, type, value, fetch_or, __atomic_fetch_or, )                    \
	HEDDLE_LINUX_VARIANTS(NAME, type, value, fetch_xor, __atomic_fetch_xor, )

HEDDLE_LINUX_ATOMIC(atomic_, atomic_t, int)
HEDDLE_LINUX_ATOMIC(atomic64_, atomic64_t, int64_t)

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
	static inline bool atomic_try_cmpxchg##suffix(atomic_t *v, int *from, int to)              \
	{                                                                                          \
		return __atomic_compare_exchange_n(                                                \
			&v->counter, from, to, false, order, __ATOMIC_RELAXED);                    \
	}
HEDDLE_LINUX_TRY(_relaxed, __ATOMIC_RELAXED)
HEDDLE_LINUX_TRY(_acquire, __ATOMIC_ACQUIRE)
HEDDLE_LINUX_TRY(_release, __ATOMIC_RELEASE)

static inline bool atomic_try_cmpxchg(atomic_t *v, int *from, int to)
{
	return HEDDLE_LINUX_FULL(atomic_try_cmpxchg_relaxed(v, from, to));
}

/* Add, unless it has that value. Returns whether it was added. */
static inline bool atomic_add_unless(atomic_t *v, int i, int not_this)
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
