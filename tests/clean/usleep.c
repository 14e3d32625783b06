/* SPDX-License-Identifier: ISC */
/* Sleeping takes (virtual) time, and polling with usleep() in between ends. */
#include <time.h>
#include <unistd.h>
#include "two.h"

static atomic_bool ready;

static void *poller(void *arg)
{
	while (!ready)
		usleep(100);
	return arg;
}

static void *setter(void *arg)
{
	struct timespec a, b, t = {0, 2000000};

	clock_gettime(CLOCK_MONOTONIC, &a);
	assert(nanosleep(&t, NULL) == 0);
	assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL) == 0);
	clock_gettime(CLOCK_MONOTONIC, &b);
	assert((b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec >= 4000000);
	ready = true;
	return arg;
}

int main(void)
{
	two(poller, NULL, setter, NULL);
	assert(sleep(0) == 0);
	puts("ok");
	return 0;
}
