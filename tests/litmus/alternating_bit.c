/* SPDX-License-Identifier: ISC */
/* The alternating bit protocol over two shared cells, one round and a half: the sender repeats a
 * message until its bit is acknowledged; the receiver repeats the last acknowledgement until the
 * bit changes. Each cell has one writer, each write is repeated: nothing to reorder.
 *
 * verdict  sc   ok
 * verdict  tso  ok
 * verdict  pso  ok
 */
#include "litmus.h"

static atomic_int message = 2, acknowledged = 2;

static void *sender(void *arg)
{
	for (int bit = 0; bit < 2; bit++) {
		W(&message, bit);
		while (R(&acknowledged) != bit)
			;
	}
	return arg;
}

static void *receiver(void *arg)
{
	int expected = 0;

	while (expected < 2) {
		int m = R(&message);

		if (m != expected)
			continue;
		W(&acknowledged, m);
		expected++;
	}
	return arg;
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, sender, receiver);
	assert(R(&message) == 1 && R(&acknowledged) == 1);
	return 0;
}
