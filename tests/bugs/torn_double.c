/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso pso; reorder: no */
/* A 64-bit number kept as two words: the reader sees the halves of two different numbers. */
#include "../clean/two.h"

static union {
	uint64_t whole;
	volatile uint32_t half[2];
} u;

static void *count(void *arg)
{
	u.half[0] = 1;
	u.half[1] = 1;
	return arg;
}

static void *look(void *arg)
{
	uint32_t low = u.half[0], high = u.half[1];

	assert(low == high);
	return arg;
}

int main(void)
{
	two(count, NULL, look, NULL);
	return 0;
}
