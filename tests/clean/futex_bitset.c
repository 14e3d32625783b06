/* SPDX-License-Identifier: ISC */
/* graph: sc tso rc11; */
/* FUTEX_WAIT_BITSET and FUTEX_WAKE_BITSET: only waiters with a common bit are woken. */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "two.h"

static atomic_int word;

static void *waiter(void *arg)
{
	while (!atomic_load(&word))
		syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 2);
	return arg;
}

static void *waker(void *arg)
{
	long other, n;

	other = syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 10, NULL, NULL, 4);
	assert(other == 0);
	atomic_store(&word, 1);
	n = syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 10, NULL, NULL, 6);
	assert(n == 0 || n == 1);
	return arg;
}

int main(void)
{
	two(waiter, NULL, waker, NULL);
	puts("ok");
	return 0;
}
