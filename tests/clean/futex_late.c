/* SPDX-License-Identifier: ISC */
/* The word has changed when the thread is about to sleep on it: it continues.
 * graph: rc11; random: rc11 */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "two.h"

static atomic_int word;

static void *wake(void *arg)
{
	atomic_store(&word, 1);
	syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
	return NULL;
}

static void *sleep_until(void *arg)
{
	while (!atomic_load(&word))
		syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
	return NULL;
}

int main(void)
{
	two(wake, NULL, sleep_until, NULL);
	puts("ok");
	return 0;
}
