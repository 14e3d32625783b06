/* SPDX-License-Identifier: ISC */
/* Lamport's fast mutual exclusion, for two threads.
 *
 * prove sc proved
 * prove tso assertion
 * prove pso assertion
 * prove tso proved -DMF --buffer-size=5
 * prove pso assertion -DMF
 * prove pso proved -DMF -DSF --buffer-size=8
 */
#include "endless.h"

VAR b[2], x, y;

static void enter(int me)
{
	for (;;) {
		W(b[me], 1);
		W(x, me + 1);
		FULL_FENCE;
		if (R(y)) {
			W(b[me], 0);
			AWAIT(!R(y));
			continue;
		}
		W(y, me + 1);
		FULL_FENCE;
		if (R(x) == me + 1)
			return;
		W(b[me], 0);
		AWAIT(!R(b[!me]));
		if (R(y) == me + 1)
			return;
		AWAIT(!R(y));
	}
}

static void *body(void *arg)
{
	int me = (int)(long)arg;

	for (;;) {
		enter(me);
		critical_section();
		W(y, 0);
		STORE_FENCE;
		W(b[me], 0);
	}
}

MAIN(body, body)
