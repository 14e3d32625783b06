/* SPDX-License-Identifier: ISC */
/* finding: crash; models: sc tso pso */
/* A store to memory that may not be written. With store buffers the address is wrong at the store,
 * even if the value would only arrive later. */
#include <sys/mman.h>
#include "../clean/two.h"

static atomic_int turn;

static void *writer(void *arg)
{
	if (turn == 1)
		atomic_store_explicit((atomic_int *)arg, 1, memory_order_relaxed);
	return NULL;
}

static void *other(void *arg)
{
	turn = 1;
	return arg;
}

int main(void)
{
	void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	two(writer, page, other, NULL);
	munmap(page, 4096);
	return 0;
}
