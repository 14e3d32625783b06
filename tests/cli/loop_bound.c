/* SPDX-License-Identifier: ISC */
/* loop_bound.c - a server that never ends, each iteration of which is observable; or one that a message ends. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SERVE
#define SERVE for (;;)
#endif

static atomic_int box, clock_, ended;

static void *serve(void *unused)
{
	SERVE
	{
		int message = atomic_exchange(&box, 0);

		atomic_fetch_add(&clock_, 1);
		if (message == STOP)
			break;
#ifdef FAILS
		heddle_assert(message != 2 || clock_ < 3);
#endif
	}
	ended = 1;
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, serve, NULL);
	box = 1;
	box = 2;
	heddle_observe("clock", clock_);
	pthread_join(t, NULL);
	heddle_observe("turns", clock_);
	return !ended;
}
