/* SPDX-License-Identifier: ISC */
/* native.c - a mix of plain and atomic work, to time an instrumented binary that is not exploring:
 * two threads sort, hash and count under a ticket lock. Prints nanoseconds of CPU time. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define N 200000

static atomic_uint next, serving;
static unsigned long table[4096];

static int compare(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

static void *worker(void *arg)
{
	unsigned *v = malloc(N * sizeof *v), x = (unsigned)(size_t)arg;

	for (unsigned i = 0; i < N; i++)
		v[i] = x = x * 1664525u + 1013904223u;
	qsort(v, N, sizeof *v, compare);
	for (unsigned i = 0; i < N; i++) {
		unsigned me = atomic_fetch_add(&next, 1);

		while (atomic_load(&serving) != me)
			;
		table[v[i] % 4096] += v[i];
		atomic_store_explicit(&serving, me + 1, memory_order_release);
	}
	free(v);
	return NULL;
}

int main(void)
{
	struct timespec t;

	worker((void *)1);
	worker((void *)2);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	printf("%lld\n", t.tv_sec * 1000000000ll + t.tv_nsec);
	return table[17] == 42;
}
