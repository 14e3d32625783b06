/* SPDX-License-Identifier: ISC */
/*
 * vector.c - loops that clang vectorises from -O2 on, over shared arrays of all element types.
 */
#include <stdint.h>
#include <stdio.h>

#define N 1003

#define LOOPS(name, type) \
	type a_##name[N], b_##name[N], c_##name[N]; \
	static __attribute__((noinline)) void loops_##name(int n, int k) \
	{ \
		type sum = 0, most = 0; \
\
		for (int i = 0; i < n; i++) { \
			a_##name[i] = (type)(i * 7 % 101); \
			b_##name[i] = (type)(i * 5 % 37); \
		} \
		for (int i = 0; i < n; i++) \
			c_##name[i] = a_##name[i] * (type)3 + b_##name[i]; \
		for (int i = 0; i + k < n; i++) \
			b_##name[i] = c_##name[i + k]; \
		for (int i = 0; i < n; i += 3) \
			a_##name[i] += b_##name[n - 1 - i]; \
		for (int i = 0; i < n; i++) \
			if (a_##name[i] > b_##name[i]) \
				c_##name[i] = a_##name[i]; \
		for (int i = 0; i < n; i++) { \
			sum += c_##name[i]; \
			most = a_##name[i] > most ? a_##name[i] : most; \
		} \
		printf(#name " %.10g %.10g\n", (double)sum, (double)most); \
	}

LOOPS(u8, uint8_t)
LOOPS(i16, int16_t)
LOOPS(i32, int32_t)
LOOPS(u64, uint64_t)
LOOPS(f, float)
LOOPS(d, double)

struct point {
	float x, y, z;
} points[N];

static __attribute__((noinline)) void structures(int n)
{
	float x = 0, y = 0;

	for (int i = 0; i < n; i++)
		points[i] = (struct point){i, 2 * i, 3};
	for (int i = 0; i < n; i++) {
		x += points[i].x * points[i].z;
		y += points[i].y;
	}
	printf("%.8g %.8g\n", x, y);
}

static __attribute__((noinline)) void conversions(int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		a_d[i] = a_i32[i];
	for (int i = 0; i < n; i++)
		a_f[i] = (float)a_d[i] + a_u8[i];
	for (int i = 0; i < n; i++)
		a_u8[i] = (uint8_t)a_i16[i];
	for (int i = 0; i < n; i++)
		sum += a_d[i] + a_f[i] + a_u8[i];
	printf("%.12g\n", sum);
}

int main(void)
{
	loops_u8(N, 1);
	loops_i16(N - 1, 2);
	loops_i32(N, 16);
	loops_u64(N - 5, 3);
	loops_f(N, 4);
	loops_d(N - 2, 7);
	structures(N);
	conversions(N);
	return 0;
}
