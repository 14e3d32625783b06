/* SPDX-License-Identifier: ISC */
/* A struct of sixteen bytes as an atomic; cflags: -mcx16;
 *
 * libs -latomic
 */
#include "two.h"

struct pair {
	uint64_t count, sum;
};

static _Atomic(struct pair) pair;

static void *add(void *arg)
{
	struct pair seen = atomic_load(&pair), next;

	do {
		next.count = seen.count + 1;
		next.sum = seen.sum + *(int *)arg;
	} while (!atomic_compare_exchange_strong(&pair, &seen, next));
	return NULL;
}

int main(void)
{
	int five = 5, seven = 7;
	struct pair p;

	two(add, &five, add, &seven);
	p = atomic_exchange(&pair, ((struct pair){0, 0}));
	printf("%d %d\n", (int)p.count, (int)p.sum);
	assert(p.count == 2 && p.sum == 12);
	p = atomic_load(&pair);
	assert(p.count == 0 && p.sum == 0);
	return 0;
}
