/* SPDX-License-Identifier: ISC */
/*
 * counts.h - what the counted programs share: short names for C11 atomics, threads that hand back
 * what they read, and assume().
 *
 * The programs use plain C11 and pthreads, so that other checkers take them unchanged (-DPEER).
 * Threads make no other accesses to shared memory than those they are about; what they read, they
 * return. The atomics are not static: clang turns a static one that one function uses into a local.
 */
#ifndef COUNTS_H
#define COUNTS_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define RLX	memory_order_relaxed
#define ACQ	memory_order_acquire
#define REL	memory_order_release
#define ACQ_REL memory_order_acq_rel
#define SC	memory_order_seq_cst

/* --- accesses */

#define load(p, order)	   atomic_load_explicit(p, order)
#define store(p, v, order) atomic_store_explicit(p, v, order)
#define add(p, v, order)   atomic_fetch_add_explicit(p, v, order)
#define sub(p, v, order)   atomic_fetch_sub_explicit(p, v, order)
#define swap(p, v, order)  atomic_exchange_explicit(p, v, order)
#define fence(order)	   atomic_thread_fence(order)

/* Compare-and-exchange of an int; when it fails it is a relaxed load. */
#define cas(p, old, v, order) cas_(p, old, v, order)
static inline bool cas_(atomic_int *p, int old, int v, memory_order order)
{
	return atomic_compare_exchange_strong_explicit(p, &old, v, order, RLX);
}

/* --- threads: THREAD(name) { ... RETURN(r0, r1, 0, 0); } */

#define THREAD(name) static void *name(void *arg)
#define INDEX	     ((int)(long)arg) /* of the thread, 0 first */

/* Up to four small values in an exit value, and back. */
#define RETURN(a, b, c, d)                                                                         \
	return (void *)((long)(a) | (long)(b) << 8 | (long)(c) << 16 | (long)(d) << 24)
#define GET(result, i) ((int)((long)(result) >> (8 * (i)) & 0xff))

#define MAX_THREADS 32

typedef void *counts_thread(void *);
static pthread_t counts_id[MAX_THREADS];
static int counts_n;

/* Start one more thread; its argument is its index among its kind. */
static inline void start(counts_thread *body, int index)
{
	pthread_create(&counts_id[counts_n++], NULL, body, (void *)(long)index);
}

static inline void start_many(counts_thread *body, int n)
{
	for (int i = 0; i < n; i++)
		start(body, i);
}

/* Wait for all threads; result may be NULL. */
static inline void join_all(void *result[])
{
	for (int i = 0; i < counts_n; i++) {
		void *r;

		pthread_join(counts_id[i], &r);
		if (result)
			result[i] = r;
	}
}

/* --- executions in which this does not hold do not count */

#ifdef PEER
#if __has_include(<genmc.h>)
#include <genmc.h>
#else
void __VERIFIER_assume(int);
#endif
#define assume(condition) __VERIFIER_assume(condition)
#else
#include "heddle/heddle.h"
#define assume(condition) heddle_assume(condition)
#endif

/* Loops that try again are `while ((r = attempt()) == AGAIN) ;`. */
#define AGAIN	 -1
#define NOINLINE __attribute__((noinline))

#endif
