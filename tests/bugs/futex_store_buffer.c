/* SPDX-License-Identifier: ISC */
/* finding: deadlock; models: tso pso; reorder: yes; options: --strategy dfs --spurious 0 */
/* The waker's store of `word` is still in its buffer when it reads that no thread waits. */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "../clean/two.h"

static atomic_int word, waiters;

static void *waiter(void *arg)
{
	while (!atomic_load_explicit(&word, memory_order_acquire)) {
		atomic_fetch_add(&waiters, 1);
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	}
	return arg;
}

static void *waker(void *arg)
{
	atomic_store_explicit(&word, 1, memory_order_release);
	if (atomic_load_explicit(&waiters, memory_order_acquire))
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return arg;
}

int main(void)
{
	two(waiter, NULL, waker, NULL);
	return 0;
}
