/* SPDX-License-Identifier: ISC */
/* The kernel reads the word of a futex atomically: no race with atomic stores. graph: sc tso rc11;
 * random: sc tso pso */
#include "two.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *waits(void *arg)
{
	int none = 0;

	if (atomic_compare_exchange_strong(&word, &none, 1))
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
	return arg;
}

static void *wakes(void *arg)
{
	atomic_store(&word, 2);
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return arg;
}

int main(void)
{
	two(waits, NULL, wakes, NULL);
	puts("ok");
	return 0;
}
