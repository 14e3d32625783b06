/* SPDX-License-Identifier: ISC */
/* Lamport's bakery, for three threads, with tickets 1 to 3.
 *
 * prove tso assertion
 * prove-long pso assertion
 * prove pso assertion -DMF
 * prove tso proved -DMF --detect=none
 * prove-long pso proved -DMF -DSF --detect=none
 */
#include "endless.h"

VAR choosing[3], number[3];

static inline int highest(int one, int two)
{
	int a = R(number[one]), b = R(number[two]);

	return a > b ? a : b;
}

static inline void await_other(int other, int me, int mine)
{
	int n;

	AWAIT(!R(choosing[other]));
	AWAIT(!(n = R(number[other])) || mine < n + (me < other));
}

static void *body(void *arg)
{
	int me = (int)(long)arg, one = (me + 1) % 3, two = (me + 2) % 3, mine;

	for (;;) {
		W(choosing[me], 1);
		FULL_FENCE;
		AWAIT((mine = highest(one, two) + 1) <= 3);
		W(number[me], mine);
		STORE_FENCE;
		W(choosing[me], 0);
		FULL_FENCE;
		await_other(one, me, mine);
		await_other(two, me, mine);
		critical_section();
		W(number[me], 0);
	}
}

MAIN(body, body, body)
