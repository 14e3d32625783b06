/* SPDX-License-Identifier: ISC */
/* native_plain.c - work without an atomic access, to time an instrumented binary that is not
 * exploring: a hash table, a matrix product, text. Prints nanoseconds of CPU time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SLOTS (1u << 16)
#define N     160

struct entry {
	struct entry *next;
	unsigned key, count;
};

static struct entry *table[SLOTS];
static double a[N][N], b[N][N], c[N][N];
static char text[1 << 16];

static void count(unsigned key)
{
	struct entry **at = &table[key * 2654435761u >> 16], *e;

	for (e = *at; e && e->key != key; e = e->next)
		;
	if (!e) {
		e = malloc(sizeof *e);
		*e = (struct entry){*at, key, 0};
		*at = e;
	}
	e->count++;
}

static void multiply(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			for (int k = 0; k < N; k++)
				c[i][j] += a[i][k] * b[k][j];
}

static unsigned words(void)
{
	unsigned n = 0;

	for (size_t i = 0; i + 1 < sizeof text; i++)
		n += text[i] == ' ' && text[i + 1] != ' ';
	return n;
}

int main(void)
{
	struct timespec t;
	unsigned x = 1, n = 0;

	for (int i = 0; i < 1000000; i++)
		count((x = x * 1664525u + 1013904223u) >> 12 & 0xffff);
	for (int i = 0; i < N * N; i++) {
		a[i / N][i % N] = i % 7;
		b[i / N][i % N] = i % 11;
	}
	multiply();
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = i % 5 ? 'x' : ' ';
	for (int i = 0; i < 100; i++)
		n += words();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	printf("%lld\n", t.tv_sec * 1000000000ll + t.tv_nsec);
	return n == 42 && c[3][4] == 17;
}
