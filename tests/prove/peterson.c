/* SPDX-License-Identifier: ISC */
/* Peterson's mutual exclusion.
 *
 * prove sc proved
 * prove tso assertion
 * prove pso assertion
 * prove tso proved -DMF
 * prove pso assertion -DMF
 * prove pso proved -DMF -DSF
 */
#include "endless.h"

VAR wants[2], turn;

static void *body(void *arg)
{
	int me = (int)(long)arg, other = !me;

	for (;;) {
		W(wants[me], 1);
		STORE_FENCE;
		W(turn, other);
		FULL_FENCE;
		AWAIT(R(turn) == me || !R(wants[other]));
		critical_section();
		W(wants[me], 0);
	}
}

MAIN(body, body)
