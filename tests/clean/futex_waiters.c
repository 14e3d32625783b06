/* SPDX-License-Identifier: ISC */
/* graph: sc tso pso rc11; random: rc11 */
/*
 * futex_waiters.c - the kernel has a full barrier before it compares the word: a thread that counts itself as a waiter
 * needs none of its own.
 */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "two.h"

static atomic_int word, waiters;

static void *wait_for_it(void *arg)
{
	while (!atomic_load_explicit(&word, memory_order_relaxed)) {
		atomic_fetch_add_explicit(&waiters, 1, memory_order_relaxed);
		syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
		atomic_fetch_sub_explicit(&waiters, 1, memory_order_relaxed);
	}
	return arg;
}

static void *wake(void *arg)
{
	atomic_store_explicit(&word, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	if (atomic_load_explicit(&waiters, memory_order_relaxed))
		syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
	return arg;
}

int main(void)
{
	two(wait_for_it, NULL, wake, NULL);
	return 0;
}
