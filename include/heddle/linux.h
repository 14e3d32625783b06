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
 * Thread-safety: any thread may use everything at any time.
 */
#ifndef HEDDLE_LINUX_H
#define HEDDLE_LINUX_H

#ifdef ATOMIC_FLAG_INIT
#error "heddle/linux.h: not together with <stdatomic.h>: both define atomic_fetch_add() and others"
#endif

#include <stdbool.h>
#include "abi.h"
#include "primitive.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- barriers --------------------------------------------------------------------------------- */

void __heddle_fence(int order) __attribute__((weak));

/* The compiler moves no access across it; the machine may. */
#define barrier() __asm__ volatile("" : : : "memory")

static inline HEDDLE_PRIMITIVE void heddle_linux_fence(int order)
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

/* Before and after a read-modify-write without a value; after spin_lock(); where a lock is taken
 * after another one has been released: full barriers there. */
#define smp_mb__before_atomic() HEDDLE_LINUX_FENCE(__ATOMIC_SEQ_CST, HEDDLE_FENCE_BEFORE_ATOMIC)
#define smp_mb__after_atomic()	HEDDLE_LINUX_FENCE(__ATOMIC_SEQ_CST, HEDDLE_FENCE_AFTER_ATOMIC)
#define smp_mb__after_spinlock() HEDDLE_LINUX_FENCE(__ATOMIC_SEQ_CST, HEDDLE_FENCE_AFTER_SPINLOCK)
#define smp_mb__after_unlock_lock() \
	HEDDLE_LINUX_FENCE(__ATOMIC_SEQ_CST, HEDDLE_FENCE_AFTER_UNLOCK_LOCK)

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

/* --- RCU: readers, and grace periods (--model lkmm only) -------------------------------------- */

/* How many rcu_read_lock() of the thread are open. */
__attribute__((weak)) __thread int heddle_linux_readers;

/* A reader: synchronize_rcu() waits for its end if it began before. They nest, and order nothing
 * else. */
static inline HEDDLE_PRIMITIVE void rcu_read_lock(void)
{
	if (!heddle_linux_readers++)
		HEDDLE_LINUX_FENCE(__ATOMIC_RELAXED, HEDDLE_FENCE_RCU_LOCK);
}

static inline HEDDLE_PRIMITIVE void rcu_read_unlock(void)
{
	if (!--heddle_linux_readers)
		HEDDLE_LINUX_FENCE(__ATOMIC_RELAXED, HEDDLE_FENCE_RCU_UNLOCK);
}

/* A grace period, which is a full barrier, too. Under other models the program is refused. */
static inline HEDDLE_PRIMITIVE void synchronize_rcu(void)
{
	HEDDLE_LINUX_FENCE(__ATOMIC_SEQ_CST, HEDDLE_FENCE_RCU_SYNC);
}
#define synchronize_rcu_expedited() synchronize_rcu()

/* --- SRCU: readers of a domain (--model lkmm only) -------------------------------------------- */

/* Its grace periods wait for its own readers. */
struct srcu_struct {
	char srcu;
};

#define DEFINE_SRCU(name)	 struct srcu_struct name
#define DEFINE_STATIC_SRCU(name) static struct srcu_struct name

uint32_t __heddle_srcu(void *domain, uint32_t reader, int kind) __attribute__((weak));

/* How many srcu_read_lock() the thread has done. */
__attribute__((weak)) __thread uint32_t heddle_linux_srcu;

static inline HEDDLE_PRIMITIVE int init_srcu_struct(struct srcu_struct *domain)
{
	domain->srcu = 0;
	return 0;
}
#define cleanup_srcu_struct(domain) ((void)(domain))

/* The beginning of a reader, which returns the number that its end, in any thread, must have.
 * Neither orders anything else. */
static inline HEDDLE_PRIMITIVE int srcu_read_lock(struct srcu_struct *domain)
{
	barrier();
	return __heddle_srcu ? (int)__heddle_srcu(domain, ++heddle_linux_srcu,
				       HEDDLE_FENCE_SRCU_LOCK)
			     : 0;
}

static inline HEDDLE_PRIMITIVE void srcu_read_unlock(struct srcu_struct *domain, int reader)
{
	if (__heddle_srcu)
		__heddle_srcu(domain, (uint32_t)reader, HEDDLE_FENCE_SRCU_UNLOCK);
	barrier();
}
#define srcu_down_read(domain)	     srcu_read_lock(domain)
#define srcu_up_read(domain, reader) srcu_read_unlock(domain, reader)

/* After srcu_read_unlock(): a full barrier with it. */
#define smp_mb__after_srcu_read_unlock() \
	HEDDLE_LINUX_FENCE(__ATOMIC_SEQ_CST, HEDDLE_FENCE_AFTER_SRCU_UNLOCK)

/* As synchronize_rcu(). */
static inline HEDDLE_PRIMITIVE void synchronize_srcu(struct srcu_struct *domain)
{
	barrier();
	if (__heddle_srcu)
		__heddle_srcu(domain, 0, HEDDLE_FENCE_SRCU_SYNC);
	else
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	barrier();
}
#define synchronize_srcu_expedited(domain) synchronize_srcu(domain)

#define srcu_dereference(p, domain)	     READ_ONCE(p)
#define srcu_dereference_check(p, domain, c) READ_ONCE(p)

/* --- locks ------------------------------------------------------------------------------------ */

uint32_t __heddle_load4(const void *p, int order) __attribute__((weak));
void __heddle_store4(void *p, uint32_t value, int order) __attribute__((weak));
uint32_t __heddle_rmw4(void *p, uint32_t operand, int op, int order) __attribute__((weak));
uint64_t __heddle_rmw8(void *p, uint64_t operand, int op, int order) __attribute__((weak));
int __heddle_cas4(void *p, uint32_t *expected, uint32_t desired, int orders) __attribute__((weak));

/* Its operations are accesses of the model, an acquire load and a store, and a release store, not
 * barriers as a pthread mutex is. */
typedef struct {
	uint32_t locked;
} spinlock_t;

#define DEFINE_SPINLOCK(name) spinlock_t name = {0}
#define spin_lock_init(lock)  ((void)((lock)->locked = 0))

static inline HEDDLE_PRIMITIVE bool spin_trylock(spinlock_t *lock)
{
	uint32_t unlocked = 0;

	if (__heddle_cas4)
		return __heddle_cas4(&lock->locked, &unlocked, 1, __ATOMIC_ACQUIRE | HEDDLE_LOCK);
	return __atomic_compare_exchange_n(
		&lock->locked, &unlocked, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline HEDDLE_PRIMITIVE void spin_lock(spinlock_t *lock)
{
	while (!spin_trylock(lock))
		cpu_relax();
}

static inline HEDDLE_PRIMITIVE void spin_unlock(spinlock_t *lock)
{
	if (__heddle_store4)
		__heddle_store4(&lock->locked, 0, __ATOMIC_RELEASE | HEDDLE_LOCK);
	else
		__atomic_store_n(&lock->locked, 0, __ATOMIC_RELEASE);
}

/* Orders nothing. */
static inline HEDDLE_PRIMITIVE bool spin_is_locked(const spinlock_t *lock)
{
	return __heddle_load4 ? __heddle_load4(&lock->locked, __ATOMIC_RELAXED | HEDDLE_LOCK)
			      : __atomic_load_n(&lock->locked, __ATOMIC_RELAXED);
}

#ifdef __cplusplus
}
#endif

#include "linux_atomic.h"

#endif
