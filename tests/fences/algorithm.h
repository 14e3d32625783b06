/* SPDX-License-Identifier: ISC */
/*
 * algorithm.h - shared by the algorithms of this folder: accesses of a kind chosen on the command
 * line (-DVOLATILE; -DPLAIN, for --races promote; else relaxed atomics), a critical section that
 * detects a second thread, and the start of the threads.
 *
 * Each thread is written out, because the known figures (A. Linden's thesis, Liège 2013) count the
 * fences of all threads. `fences MODEL N M [DEFINES]' in a comment is the result expected by
 * tests/cli/t_fences.sh: N full fences behind stores, M release fences before stores.
 */
#ifndef FENCES_ALGORITHM_H
#define FENCES_ALGORITHM_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 2 /* with one, some fences are not needed yet */
#endif

#if defined(VOLATILE)
#define VAR	 volatile int
#define W(x, v)	 ((x) = (v))
#define R(x)	 (x)
#define LEAVE(x) (atomic_thread_fence(memory_order_release), (x) = 0)
#elif defined(PLAIN)
#define VAR	 int
#define W(x, v)	 ((x) = (v))
#define R(x)	 (x)
#define LEAVE(x) (atomic_thread_fence(memory_order_release), (x) = 0)
#else
#define VAR	 atomic_int
#define W(x, v)	 atomic_store_explicit(&(x), v, memory_order_relaxed)
#define R(x)	 atomic_load_explicit(&(x), memory_order_acquire)
#define LEAVE(x) atomic_store_explicit(&(x), 0, memory_order_release)
#endif

/* Two at a time race; where races do not count, one of them is lost. (The store that releases the
 * lock is a release: protected data is no subject of these tests.) */
int inside;
static _Thread_local int entered;

#define CRITICAL_SECTION() (inside++, entered++)
#define AWAIT(condition)                                                                           \
	do {                                                                                       \
	} while (!(condition))

static inline void run(int n, void *(*const body[])(void *))
{
	pthread_t t[3];
	void *times;
	long all = 0;

	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, body[i], NULL);
	for (int i = 0; i < n; i++) {
		pthread_join(t[i], &times);
		all += (long)times;
	}
	assert(inside == all);
}

#define MAIN(...)                                                                                  \
	int main(void)                                                                             \
	{                                                                                          \
		void *(*const body[])(void *) = {__VA_ARGS__};                                     \
                                                                                                   \
		run(sizeof(body) / sizeof(body[0]), body);                                         \
		return 0;                                                                          \
	}

#endif
