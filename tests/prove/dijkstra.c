/* SPDX-License-Identifier: ISC */
/* Dijkstra's mutual exclusion, for two threads.
 *
 * prove sc proved
 * prove tso assertion
 * prove pso assertion
 * prove tso proved -DMF
 * prove pso proved -DMF
 */
#include "endless.h"

VAR flag[2], turn;

static void *body(void *arg)
{
	int me = (int)(long)arg, other = !me;

	for (;;) {
		do {
			W(flag[me], 1);
			while (R(turn) != me)
				if (!R(flag[other]))
					W(turn, me);
			W(flag[me], 2);
			FULL_FENCE;
		} while (R(flag[other]) == 2);
		critical_section();
		W(flag[me], 0);
	}
}

MAIN(body, body)
