/* SPDX-License-Identifier: ISC */
/* sb.c - store buffering: fails under tso and pso, never under sc. An argument changes nothing. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y;
static int r0, r1;

static void *writer_x(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	r0 = atomic_load_explicit(&y, memory_order_relaxed);
	return unused;
}

static void *writer_y(void *unused)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	printf("arguments: %d %s\n", argc - 1, argc > 1 ? argv[1] : "-");
	pthread_create(&a, NULL, writer_x, NULL);
	pthread_create(&b, NULL, writer_y, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(r0 || r1);
	return 0;
}
