/* SPDX-License-Identifier: ISC */
/* Threads create threads, which create threads; results come back through joins. */
#include "two.h"

static void *count(void *arg)
{
	intptr_t depth = (intptr_t)arg;
	pthread_t left, right;
	void *l, *r;

	if (!depth)
		return (void *)1;
	pthread_create(&left, NULL, count, (void *)(depth - 1));
	pthread_create(&right, NULL, count, (void *)(depth - 1));
	pthread_join(right, &r);
	pthread_join(left, &l);
	return (void *)((intptr_t)l + (intptr_t)r);
}

int main(void)
{
	intptr_t n = (intptr_t)count((void *)2);

	assert(n == 4);
	printf("%d\n", (int)n);
	return 0;
}
