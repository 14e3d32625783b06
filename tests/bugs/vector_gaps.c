/* SPDX-License-Identifier: ISC */
/*
 * A compiler that makes vectors of a loop, or of the statements of a block, does not load what lies
 * between the elements that the program accesses: another thread stores there.
 *
 * options --time 60
 * verdict -O2 rc11 ok -- --strategy graph
 * verdict -O3 -mavx2 rc11 ok -- --strategy graph
 * verdict --gcc -O2 rc11 ok -- --strategy graph
 * verdict --gcc -O3 rc11 ok -- --strategy graph
 * verdict -DWRONG -O2 rc11 race
 * verdict -DWRONG --gcc -O3 rc11 race
 */
#include "../clean/two.h"

#define N 64

struct point {
	int x, y;
};

struct pixel {
	float red, green, blue, alpha;
};

static struct point points[N];
static struct pixel pixels[N];
static int numbers[N], mine[N], sums[2];
static float light[N], row[4], eight[8];

__attribute__((noinline)) static int sum_members(const struct point *p, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += p[i].x;
	return sum;
}

__attribute__((noinline)) static void lighten(
	const struct pixel *p, float *restrict to, int n)
{
	for (int i = 0; i < n; i++)
		to[i] = p[i].red * p[i].green + p[i].alpha;
}

__attribute__((noinline)) static int sum_own(void)
{
	int sum = 0;

	for (int i = 0; i < N; i++)
		if (mine[i])
			sum += numbers[i];
	return sum;
}

__attribute__((noinline)) static void pick(float *to, const float *from)
{
	to[0] = from[0] * 2;
	to[1] = from[1] * 2;
	to[2] = from[3] * 2;
	to[3] = from[0] * 2;
}

static void *load(void *arg)
{
	sums[0] = sum_members(points, N);
	lighten(pixels, light, N);
	sums[1] = sum_own();
	pick(row, eight);
	return arg;
}

static void *store(void *arg)
{
	for (int i = 0; i < N; i++) {
		points[i].y = i;
		pixels[i].blue = 1;
		if (!mine[i])
			numbers[i] = i;
	}
	eight[2] = 3;
#ifdef WRONG
	numbers[N / 2] = 1;
#endif
	return arg;
}

int main(void)
{
	for (int i = 0; i < N; i += 2)
		mine[i] = 1;
	two(load, NULL, store, NULL);
	assert(sums[0] == 0 && sums[1] <= 1 && light[3] == 0 && row[2] == 0);
	return 0;
}
