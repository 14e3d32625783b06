/* SPDX-License-Identifier: ISC */
/* finding: livelock; models: sc tso pso */
/* graph: rc11 sc; dfs: tso; random: rc11 ra */
/* A thread waits for a flag that the other one lowers again, too early. */
#include "../clean/two.h"

static atomic_int flag;

static void *waiter(void *arg)
{
	while (!atomic_load_explicit(&flag, memory_order_acquire))
		;
	return arg;
}

static void *pulse(void *arg)
{
	flag = 1;
	flag = 0;
	return arg;
}

int main(void)
{
	two(waiter, NULL, pulse, NULL);
	return 0;
}
