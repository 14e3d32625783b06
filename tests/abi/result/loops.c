/* SPDX-License-Identifier: ISC */
/*
 * loops.c - loops that wait and count: prints what they have counted.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

static atomic_int x, y, z;

/* What a register or a variable on the stack has if nothing is stored there. */
static NOINLINE void fill_stack(int byte)
{
	volatile char filled[2000];

	memset((char *)filled, byte, sizeof filled);
}

static NOINLINE int two(int limit)
{
	int n = 0;

	for (int i = 0; i < 5 && !atomic_load(&x); i++)
		if (atomic_load(&y) < limit)
			n++;
	return n > 3 ? 100 : n > 1;
}

static NOINLINE int three(int limit)
{
	int n = 0, m = 9;

	for (int i = 0; i < 7 && !atomic_load(&x); i++) {
		if (atomic_load(&y) < limit)
			n += 2;
		else
			m -= 3;
		if (atomic_exchange(&z, i & 1))
			n++;
	}
	return 4 * (n > 2) + 2 * (m < 5) + (m < -8);
}

static NOINLINE int narrow(void)
{
	unsigned char a = 253, b = 200;
	unsigned short c = 7;
	long d = -1;

	do {
		if (atomic_load(&y))
			a++;
		else
			b--;
		c += 2;
		d--;
		if (d < -6)
			break;
	} while (!atomic_load(&x));
	return 8 * (a > 254) + 4 * (b < 199) + 2 * (c > 12) + (d < -6);
}

static NOINLINE int nested(int limit)
{
	int all = 0, some = 0;

	for (int i = 0; i < 3 && !atomic_load(&z); i++) {
		int turns = 0;

		while (!atomic_load(&x) && turns < limit)
			turns++, all++;
		if (turns > 2)
			some++;
	}
	return (all > 8) + 2 * (some > 0) + 4 * (some > 1);
}

int main(void)
{
	for (int byte = 0; byte < 256; byte += 85) {
		for (int limit = 0; limit < 6; limit++) {
			atomic_store(&y, limit & 1);
			fill_stack(byte);
			printf("%d ", two(limit));
			fill_stack(byte);
			printf("%d ", three(limit));
			fill_stack(byte);
			printf("%d ", narrow());
			atomic_store(&z, 0);
			fill_stack(byte);
			printf("%d\n", nested(limit));
		}
	}
	return 0;
}
