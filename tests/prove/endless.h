/* SPDX-License-Identifier: ISC */
/*
 * endless.h - shared by the programs of this folder, whose threads loop for ever, as in A. Linden's
 * thesis (Liège 2013).
 *
 * A line `prove MODEL VERDICT [FLAGS]' in a comment is a test of tests/cli/t_prove.sh; VERDICT is
 * `proved', `bounded' (a store buffer was full, with --buffer-size), or the kind of the finding. With -DMF the full
 * fences of the repaired program are there, with -DSF its fences between stores.
 */
#ifndef PROVE_ENDLESS_H
#define PROVE_ENDLESS_H

#include <heddle/heddle.h>

#include <pthread.h>
#include <stdatomic.h>

#define VAR	atomic_int
#define W(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#define R(x)	atomic_load_explicit(&(x), memory_order_relaxed)

#ifdef MF
#define FULL_FENCE atomic_thread_fence(memory_order_seq_cst)
#else
#define FULL_FENCE
#endif
#ifdef SF
#define STORE_FENCE atomic_thread_fence(memory_order_release)
#else
#define STORE_FENCE
#endif

#define AWAIT(condition) \
	do { \
	} while (!(condition))

static int inside;
static atomic_int anything;

/* No events: store buffers are as they were. */
static __attribute__((annotate("heddle_ignore"), noinline)) void enter_region(void)
{
	heddle_assert(++inside == 1);
}

static __attribute__((annotate("heddle_ignore"), noinline)) void leave_region(void)
{
	inside--;
}

/* Others may run while the thread is in its critical section. */
static inline void critical_section(void)
{
	enter_region();
	(void)*(volatile atomic_int *)&anything;
	leave_region();
}

static inline void run(unsigned n, void *(*const body[])(void *))
{
	pthread_t t[3];

	for (unsigned i = 0; i < n; i++)
		pthread_create(&t[i], NULL, body[i], (void *)(long)i);
	for (unsigned i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

#define MAIN(...) \
	int main(void) \
	{ \
		void *(*const threads[])(void *) = {__VA_ARGS__}; \
\
		run(sizeof(threads) / sizeof(threads[0]), threads); \
		return 0; \
	}

#endif
