/* SPDX-License-Identifier: ISC */
/* Lamport's bakery, for two threads, with tickets 1 and 2: as a thread waits for one of these while it is
 * choosing, both may wait for ever.
 *
 * prove sc livelock
 * prove sc proved --detect=none
 * prove tso assertion
 * prove pso assertion
 * prove tso proved -DMF --detect=none
 * prove pso assertion -DMF
 * prove pso proved -DMF -DSF --detect=none
 */
#include "endless.h"

VAR choosing[2], number[2];

static void *body(void *arg)
{
	int me = (int)(long)arg, other = !me, mine, n;

	for (;;) {
		W(choosing[me], 1);
		FULL_FENCE;
		AWAIT((mine = R(number[other]) + 1) <= 2);
		W(number[me], mine);
		STORE_FENCE;
		W(choosing[me], 0);
		FULL_FENCE;
		AWAIT(!R(choosing[other]));
		AWAIT(!(n = R(number[other])) || mine < n + !me);
		critical_section();
		W(number[me], 0);
	}
}

MAIN(body, body)
