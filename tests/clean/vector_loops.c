/* SPDX-License-Identifier: ISC */
/* Loops that compilers vectorise: wide loads and stores of shared arrays. */
#include "two.h"

#define N 40

static int a[2][N], b[2][N];
static float f[2][N];
static unsigned char bytes[2][N];
static int total[2];

static void *worker(void *arg)
{
	int me = *(int *)arg, sum = 0;

	for (int i = 0; i < N; i++)
		a[me][i] = i + me;
	for (int i = 0; i < N; i++)
		b[me][i] = a[me][i] * 3 + 1;
	for (int i = 0; i < N; i++)
		f[me][i] = b[me][i] * 0.5f;
	for (int i = 0; i < N; i++)
		bytes[me][i] = b[me][i] > 60 ? 255 : b[me][i];
	for (int i = 0; i < N; i++)
		sum += bytes[me][i] + (int)f[me][i];
	total[me] = sum;
	return NULL;
}

int main(void)
{
	int zero = 0, one = 1;

	two(worker, &zero, worker, &one);
	printf("%d %d %d %g %d\n", total[0], total[1], b[1][N - 1], f[0][3], bytes[0][19]);
	assert(b[1][N - 1] == 121 && f[0][3] == 5 && bytes[0][19] == 58);
	return 0;
}
