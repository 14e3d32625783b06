/* SPDX-License-Identifier: ISC */
/* Synchronisation in the style before C11: volatile flags and the compilers' full barrier. */
#include "two.h"

static int data[2];
static volatile int ready;
static volatile unsigned char stop[2];

static void *sender(void *arg)
{
	data[0] = 17;
	data[1] = 4;
	__sync_synchronize();
	ready = 1;
	while (!stop[1])
		;
	stop[0] = 1;
	return arg;
}

static void *receiver(void *arg)
{
	while (!ready)
		;
	__sync_synchronize();
	*(int *)arg = data[0] + data[1];
	stop[1] = 1;
	return NULL;
}

int main(void)
{
	int sum = 0;

	two(sender, NULL, receiver, &sum);
	printf("%d %d %d\n", sum, stop[0], stop[1]);
	assert(sum == 21);
	return 0;
}
