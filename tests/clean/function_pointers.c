/* SPDX-License-Identifier: ISC */
/* Function pointers: in a constant table, and handed from thread to thread. */
#include "two.h"

static int add(int a, int b)
{
	return a + b;
}

static int multiply(int a, int b)
{
	return a * b;
}

typedef int operation(int, int);
static operation *const table[] = {add, multiply};
static _Atomic(operation *) handed;
static int result[2];

static void *give(void *arg)
{
	result[0] = table[1](3, 4);
	atomic_store_explicit(&handed, table[0], memory_order_release);
	return arg;
}

static void *take(void *arg)
{
	operation *f = atomic_load_explicit(&handed, memory_order_acquire);

	result[1] = f ? f(result[0], 5) : 17;
	return arg;
}

int main(void)
{
	two(give, NULL, take, NULL);
	printf("%d %d\n", result[0], result[1]);
	assert(result[0] == 12 && result[1] == 17);
	return 0;
}
