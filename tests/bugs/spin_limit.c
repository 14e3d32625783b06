/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso rc11; reorder: no; options: --strategy graph */
/* report rc11 "a loop repeats an iteration up to a limit" */
/* report sc "a loop repeats an iteration up to a limit" */
/* A thread waits for a flag, but not for ever: the limit counts as never reached. */
#include "../clean/two.h"

#define LIMIT 1000000

static atomic_int flag;

static void *waiter(void *arg)
{
	int n = 0;

	while (!atomic_load_explicit(&flag, memory_order_acquire) && n < LIMIT)
		n++;
	assert(n < LIMIT);
	return arg;
}

static void *raiser(void *arg)
{
	atomic_store_explicit(&flag, 1, memory_order_release);
	return arg;
}

int main(void)
{
	two(waiter, NULL, raiser, NULL);
	return 0;
}
