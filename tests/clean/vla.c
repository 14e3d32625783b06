/* SPDX-License-Identifier: ISC */
/* Variable-length arrays, also two-dimensional ones as parameters, shared with another thread. */
#include "two.h"

struct job {
	int n;
	int *row;
};

static void fill(int n, int m[n][n], int row)
{
	for (int i = 0; i < n; i++)
		m[row][i] = row * n + i;
}

static void *worker(void *arg)
{
	struct job *j = arg;
	int scratch[j->n];

	for (int i = 0; i < j->n; i++)
		scratch[i] = j->row[i] + 1;
	memcpy(j->row, scratch, sizeof(scratch));
	return NULL;
}

static int run(int n)
{
	int m[n][n], sum = 0;
	struct job top = {n, m[0]}, bottom = {n, m[n - 1]};

	for (int i = 0; i < n; i++)
		fill(n, m, i);
	two(worker, &top, worker, &bottom);
	for (int i = 0; i < n * n; i++)
		sum += m[0][i];
	return sum;
}

int main(void)
{
	int sum = run(4);

	printf("%d\n", sum);
	assert(sum == 120 + 8);
	return 0;
}
