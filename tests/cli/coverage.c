/* SPDX-License-Identifier: ISC */
/* coverage.c - for t_coverage.sh: some lines and branches that only some executions reach, or none. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y;
static int seen;

static int unused(int n)
{
	if (n > 3)
		return 1;
	return 2;
}

static void *writer(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	if (!atomic_load_explicit(&y, memory_order_relaxed))
		seen++;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;
	int other;

	pthread_create(&t, NULL, writer, NULL);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	other = !atomic_load_explicit(&x, memory_order_relaxed);
	pthread_join(t, NULL);
	if (seen && other)
		puts("both");
	for (int i = 0; i < 3; i++)
		if (i > argc + 5)
			seen += unused(i);
	(void)argv;
	return 0;
}
