/* SPDX-License-Identifier: ISC */
/*
 * litmus.h - shared by the litmus tests: accesses and fences of a kind chosen on the command line,
 * and threads that return the values they read.
 *
 * Thread bodies make no other shared access than the ones they are about, so that the number of
 * executions is known in advance.
 */
#ifndef LITMUS_H
#define LITMUS_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* --- accesses: W(&x, 1) and R(&x), on variables declared with VAR */

#if defined(PLAIN)
#define VAR	int
#define W(p, v) (*(p) = (v))
#define R(p)	(*(p))
#elif defined(VOLATILE)
#define VAR	volatile int
#define W(p, v) (*(p) = (v))
#define R(p)	(*(p))
#elif defined(MOV)
#define VAR int
static inline void mov_store(int *p, int v)
{
	__asm__ volatile("movl %1, %0" : "=m"(*p) : "r"(v) : "memory");
}
static inline int mov_load(int *p)
{
	int v;

	__asm__ volatile("movl %1, %0" : "=r"(v) : "m"(*p) : "memory");
	return v;
}
#define W(p, v) mov_store(p, v)
#define R(p)	mov_load(p)
#else
#define VAR atomic_int
#if defined(RELEASE)
#define W(p, v) atomic_store_explicit(p, v, memory_order_release)
#elif defined(SEQ_CST)
#define W(p, v) atomic_store(p, v)
#elif defined(XCHG) /* not relaxed: compilers make that a plain store when the result is not used */
#define W(p, v) ((void)atomic_exchange_explicit(p, v, memory_order_acq_rel))
#else
#define W(p, v) atomic_store_explicit(p, v, memory_order_relaxed)
#endif
#define R(p) atomic_load_explicit(p, memory_order_relaxed)
#endif

/* --- fences: F() */

#if defined(F_SEQ_CST)
#define F() atomic_thread_fence(memory_order_seq_cst)
#elif defined(F_ACQ_REL)
#define F() atomic_thread_fence(memory_order_acq_rel)
#elif defined(F_RELEASE)
#define F() atomic_thread_fence(memory_order_release)
#elif defined(F_ACQUIRE)
#define F() atomic_thread_fence(memory_order_acquire)
#elif defined(F_SIGNAL)
#define F() atomic_signal_fence(memory_order_seq_cst)
#elif defined(F_SYNC)
#define F() __sync_synchronize()
#elif defined(F_MFENCE)
#define F() __asm__ volatile("mfence" ::: "memory")
#elif defined(F_SFENCE)
#define F() __asm__ volatile("sfence" ::: "memory")
#elif defined(F_LFENCE)
#define F() __asm__ volatile("lfence" ::: "memory")
#elif defined(F_LOCK) /* what compilers and kernels write for a full fence */
#define F() __asm__ volatile("lock; addl $0, -4(%%rsp)" ::: "memory", "cc")
#elif defined(F_RMW) /* of a private variable */
static atomic_int fence_rmw;
#define F() ((void)atomic_fetch_add_explicit(&fence_rmw, 1, memory_order_relaxed))
#elif defined(F_CAS_FAILS)
static atomic_int fence_cas;
static inline void cas_fails(void)
{
	int expected = 1;

	atomic_compare_exchange_strong_explicit(
		&fence_cas, &expected, 2, memory_order_relaxed, memory_order_relaxed);
}
#define F() cas_fails()
#elif defined(F_MUTEX)
static pthread_mutex_t fence_mutex = PTHREAD_MUTEX_INITIALIZER;
#define F() (pthread_mutex_lock(&fence_mutex), pthread_mutex_unlock(&fence_mutex))
#else
#define F() ((void)0)
#endif

/* --- threads */

typedef void *thread(void *);

/* Up to four small values in an exit value, and back. */
#define RETURN(a, b, c, d) \
	return (void *)((uintptr_t)(a) | (uintptr_t)(b) << 8 | (uintptr_t)(c) << 16 | \
			(uintptr_t)(d) << 24)
#define GET(result, i) ((int)((result) >> (8 * (i)) & 0xff))

static inline void run(int n, thread *const body[], uintptr_t result[])
{
	pthread_t t[4];
	void *r[4];

	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, body[i], NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], &r[i]);
	for (int i = 0; i < n; i++)
		result[i] = (uintptr_t)r[i];
}

#define RUN(result, ...)                                                                           \
	do {                                                                                       \
		static thread *const body[] = {__VA_ARGS__};                                       \
		run(sizeof(body) / sizeof(body[0]), body, result);                                 \
	} while (0)

#endif
