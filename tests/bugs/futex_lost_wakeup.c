/* SPDX-License-Identifier: ISC */
/* finding: deadlock; models: sc tso pso; reorder: no; options: --strategy dfs --spurious 0 */
/* graph: rc11 sc; dfs: tso */
/* The waiter announces itself after the test; the waker reads only before its store. */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "../clean/two.h"

static atomic_int word, waiters;

static void *waiter(void *arg)
{
	while (!word) {
		waiters = 1;
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	}
	return arg;
}

static void *waker(void *arg)
{
	int waiting = waiters;

	word = 1;
	if (waiting)
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return arg;
}

int main(void)
{
	two(waiter, NULL, waker, NULL);
	return 0;
}
