/* SPDX-License-Identifier: ISC */
/*
 * counts.h - shared by the counted programs: short names for C11 atomics, threads that return the
 * values they read, and assume().
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

#ifdef TAGGED
#define load(p, order)	   tagged_load(p, order)
#define store(p, v, order) tagged_store(p, v, order)
#else
#define load(p, order)	   atomic_load_explicit(p, order)
#define store(p, v, order) atomic_store_explicit(p, v, order)
#endif
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

/*
 * -DTAGGED: every store of an int has a tag above the low 16 bits, and the sources of a
 * thread's loads become a number: then executions with other reads-from have other outcomes,
 * also when they are counted on store buffers (counts-dfs). For programs that only load and
 * store.
 */
#ifdef TAGGED
#include "heddle/heddle.h"

#define ASIDE __attribute__((noinline, unused, annotate("heddle_ignore"))) /* no steps */

static _Thread_local int tagged_id, tagged_stores;
static _Thread_local unsigned long
	tagged_sum; /* of a thread; main's: of those it has joined, too */

ASIDE static int tagged_next(void)
{
	return (tagged_id * 32 + ++tagged_stores) << 16;
}

ASIDE static void tagged_note(unsigned long what)
{
	tagged_sum = (tagged_sum ^ what) * 0x9e3779b97f4a7c15u;
	tagged_sum ^= tagged_sum >> 29;
}

ASIDE static unsigned long tagged_begin(int id)
{
	unsigned long sum = tagged_sum;

	if (id) {
		tagged_id = id;
		tagged_stores = 0;
		tagged_sum = 1;
	}
	return sum;
}

static inline void tagged_store(atomic_int *p, int v, memory_order order)
{
	atomic_store_explicit(p, (v & 0xffff) | tagged_next(), order);
}

static inline int tagged_load(atomic_int *p, memory_order order)
{
	int v = atomic_load_explicit(p, order);

	tagged_note((unsigned)v >> 16);
	return (short)v;
}
#endif

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

#ifdef TAGGED
/* The thread's function, index and number are in the argument: none of this is shared
 * memory. */
static inline void *tagged_run(void *arg)
{
	unsigned long packed = (unsigned long)arg;

	tagged_begin((int)(packed >> 56));
	((counts_thread *)(packed & 0xffffffffffffu))((void *)(packed >> 48 & 0xff));
	return (void *)tagged_begin(0);
}
#endif

/* Start one more thread; its argument is its index among its kind. */
static inline void start(counts_thread *body, int index)
{
#ifdef TAGGED
	pthread_create(&counts_id[counts_n], NULL, tagged_run,
		(void *)((unsigned long)body | (unsigned long)index << 48 |
			(unsigned long)(counts_n + 1) << 56));
	counts_n++;
#else
#ifdef ALIKE /* all of its kind do the same */
	index = 0;
#endif
	pthread_create(&counts_id[counts_n++], NULL, body, (void *)(long)index);
#endif
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
#ifdef TAGGED
		tagged_note((unsigned long)r);
#endif
	}
}

/* At the end of main, of programs for counts-dfs. */
static inline int finish(void)
{
#ifdef TAGGED
	heddle_observe("reads-from", (long)tagged_begin(0));
#endif
	return 0;
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

/* Loops that retry are `while ((r = attempt()) == AGAIN) ;`. */
#define AGAIN	 -1
#define NOINLINE __attribute__((noinline))

#endif
