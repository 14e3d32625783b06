/* SPDX-License-Identifier: ISC */
/* exit() in a thread: handlers run in reverse order, one registers another, the exit status is
 * 0. */
#include "two.h"

static atomic_int order;

static void last(void)
{
	assert(order == 3);
	puts("last");
}

static void added(void)
{
	assert(++order == 3);
}

static void second(void)
{
	assert(++order == 2);
	atexit(added);
}

static void first(int status, void *arg)
{
	assert(status == 0 && arg == &order && ++order == 1);
}

static void *worker(void *arg)
{
	exit(0);
}

int main(void)
{
	pthread_t t;

	atexit(last);
	atexit(second);
	on_exit(first, &order);
	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	return 1; /* not reached */
}
