/* SPDX-License-Identifier: ISC */
/* A mutex made of a futex word (free, locked, locked with waiters), through syscall(). */
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "two.h"

static atomic_int word;
static int counter;

static long futex(int op, int value)
{
	return syscall(SYS_futex, &word, op | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

static void lock(void)
{
	int found = 0;

	if (atomic_compare_exchange_strong(&word, &found, 1))
		return;
	while (atomic_exchange(&word, 2))
		futex(FUTEX_WAIT, 2);
}

static void unlock(void)
{
	if (atomic_exchange(&word, 0) == 2)
		futex(FUTEX_WAKE, 1);
}

static void *worker(void *arg)
{
	lock();
	counter++;
	unlock();
	return arg;
}

int main(void)
{
	struct timespec soon = {0, 1000};

	assert(futex(FUTEX_WAIT, 5) == -1 && errno == EAGAIN);
	assert(futex(FUTEX_WAKE, 1) == 0);
	while (!syscall(SYS_futex, &word, FUTEX_WAIT, 0, &soon))
		;
	assert(errno == ETIMEDOUT);
	two(worker, NULL, worker, NULL);
	assert(counter == 2);
	puts("ok");
	return 0;
}
