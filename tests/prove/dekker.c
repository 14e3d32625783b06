/* SPDX-License-Identifier: ISC */
/* Dekker's mutual exclusion.
 *
 * prove sc proved
 * prove tso assertion
 * prove pso assertion
 * prove tso proved -DMF
 * prove pso proved -DMF
 */
#include "endless.h"

VAR wants[2], turn;

static void *body(void *arg)
{
	int me = (int)(long)arg, other = !me;

	for (;;) {
		W(wants[me], 1);
		FULL_FENCE;
		while (R(wants[other])) {
			if (R(turn) == me)
				continue;
			W(wants[me], 0);
			AWAIT(R(turn) == me);
			W(wants[me], 1);
			FULL_FENCE;
		}
		critical_section();
		W(turn, other);
		W(wants[me], 0);
	}
}

MAIN(body, body)
