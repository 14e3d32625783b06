/* SPDX-License-Identifier: ISC */
/* graph: sc tso rc11; cflags: -O0 */
/* A loop that waits for a flag, three times at most, changes a variable back and forth: its state recurs every second
 * iteration, but its end comes after the third. */
#include "two.h"

static atomic_int flag, other;

static void *waiter(void *arg)
{
	int odd = 0;

	for (int i = 0; i < 3 && !atomic_load(&flag); i++)
		odd ^= 1;
	assert(odd);
	return arg;
}

static void *storer(void *arg)
{
	atomic_store(&other, 1);
	return arg;
}

int main(void)
{
	two(waiter, NULL, storer, NULL);
	return 0;
}
