/* SPDX-License-Identifier: ISC */
/* Both threads wait for ever, each for a value that the other has already changed, if both loads overtake the stores.
 *
 * prove sc proved
 * prove tso livelock
 * prove pso livelock
 * prove tso proved -DMF
 * prove pso proved -DMF
 */
#include "endless.h"

VAR x[2];

static void *body(void *arg)
{
	int me = (int)(long)arg, r;

	for (;;) {
		W(x[me], 1);
		FULL_FENCE;
		r = R(x[!me]);
		AWAIT(R(x[!me]) == r);
		W(x[me], 0);
	}
}

MAIN(body, body)
