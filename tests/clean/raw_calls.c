/* SPDX-License-Identifier: ISC */
/* syscall() for simulated functions: numbers and times are the same in each execution.
 * random: tso; graph: rc11 */
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "two.h"

static _Atomic uint64_t seen;

/* Strategy graph notices a difference: run again for another source of a read, it would store
 * another value. */
static void *numbers(void *arg)
{
	uint64_t n = 0;

	assert(syscall(SYS_getrandom, &n, sizeof n, 0) == sizeof n);
	seen = n;
	return (void *)(uintptr_t)(seen == n);
}

static void *times(void *arg)
{
	struct timespec a, b, t = {0, 1000000};

	assert(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &a) == 0);
	assert(syscall(SYS_nanosleep, &t, NULL) == 0);
	assert(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &t, NULL) == 0);
	assert(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &b) == 0);
	assert((b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec >= 2000000);
	t.tv_nsec = 1000000000;
	assert(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &t, NULL) == -1 && errno == EINVAL);
	seen = (uint64_t)b.tv_nsec;
	return (void *)(uintptr_t)(seen != 0);
}

int main(void)
{
	two(numbers, NULL, times, NULL);
	puts("ok");
	return 0;
}
