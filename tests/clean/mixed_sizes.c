/* SPDX-License-Identifier: ISC */
/* The same bytes as integers of different sizes, aligned or not; one thread for each half. */
#include "two.h"

static union {
	uint64_t whole;
	uint32_t half[2];
	uint16_t quarter[4];
	uint8_t byte[8];
} u;

static struct __attribute__((packed)) {
	char c;
	uint32_t four;
	uint16_t two;
	uint64_t eight;
} packed[2];

static void *worker(void *arg)
{
	int me = *(int *)arg;

	u.half[me] = 0x01020304;
	assert(u.byte[4 * me] == 4 && u.quarter[2 * me + 1] == 0x0102);
	u.byte[4 * me + 1] = 0xff;
	assert(u.half[me] == 0x0102ff04);
	u.quarter[2 * me + 1]++;
	packed[me].four = u.half[me];
	packed[me].two = packed[me].four >> 8;
	packed[me].eight = (uint64_t)packed[me].four << 16 | packed[me].two;
	memcpy((char *)&packed[me].eight + 1, &packed[me].two, 2);
	return NULL;
}

int main(void)
{
	int zero = 0, one = 1;

	two(worker, &zero, worker, &one);
	printf("%llx %x %x %llx\n", (unsigned long long)u.whole, packed[0].four, packed[1].two,
		(unsigned long long)packed[1].eight);
	assert(u.whole == 0x0103ff040103ff04);
	assert(packed[0].eight == packed[1].eight && packed[0].eight == 0x0103ff03ffffull);
	return 0;
}
