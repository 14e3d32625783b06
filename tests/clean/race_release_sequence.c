/* SPDX-License-Identifier: ISC */
/* graph: tso ra rc11; */
/* A relaxed read-modify-write by a third thread carries the release store on (C11 5.1.2.4). */
#include "two.h"

static int data;
static atomic_int state;

static void *writer(void *arg)
{
	data = 42;
	atomic_store_explicit(&state, 1, memory_order_release);
	return arg;
}

static void *passer(void *arg)
{
	int one = 1;

	atomic_compare_exchange_strong_explicit(
		&state, &one, 2, memory_order_relaxed, memory_order_relaxed);
	return arg;
}

static void *reader(void *arg)
{
	if (atomic_load_explicit(&state, memory_order_acquire) == 2)
		assert(data == 42);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, passer, NULL);
	two(writer, NULL, reader, NULL);
	pthread_join(t, NULL);
	printf("%d\n", data);
	return 0;
}
