/* SPDX-License-Identifier: ISC */
/*
 * An event loop over an eventfd: a client announces work, and writes the eventfd; the loop sleeps
 * in poll(), reads the eventfd, and does the work that is announced. With -DEARLY it does that
 * before it reads, and the client may wait for ever.
 *
 * prove sc proved
 * prove tso proved
 * prove pso proved
 * prove tso livelock -DEARLY
 */
#include "endless.h"

#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static atomic_int work;
static int wakeup;

static void do_work(void)
{
	if (atomic_load(&work))
		atomic_store(&work, 0);
}

static void *loop(void *arg)
{
	for (;;) {
		struct pollfd wanted = {.fd = wakeup, .events = POLLIN};
		uint64_t n;

		heddle_assert(poll(&wanted, 1, -1) == 1);
#ifdef EARLY
		do_work();
#endif
		heddle_assert(read(wakeup, &n, sizeof n) == sizeof n);
		heddle_assert(n >= 1 && n <= 2);
#ifndef EARLY
		do_work();
#endif
	}
}

static void *client(void *arg)
{
	uint64_t one = 1;

	for (;;) {
		atomic_store(&work, 1);
		write(wakeup, &one, sizeof one);
		AWAIT(!atomic_load(&work));
	}
}

int main(void)
{
	wakeup = eventfd(0, 0);
	run(2, (void *(*const[])(void *)){loop, client});
	return 0;
}
