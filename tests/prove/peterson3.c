/* SPDX-License-Identifier: ISC */
/* Peterson's mutual exclusion, for three threads.
 *
 * prove tso assertion
 * prove pso assertion -DMF
 * prove sc proved
 * prove tso proved -DMF
 * prove pso proved -DMF -DSF
 */
#include "endless.h"

VAR level[3], victim[3];

static void *body(void *arg)
{
	int me = (int)(long)arg, one = (me + 1) % 3, two = (me + 2) % 3;

	for (;;) {
		for (int l = 1; l < 3; l++) {
			W(level[me], l);
			STORE_FENCE;
			W(victim[l], me);
			FULL_FENCE;
			AWAIT(R(victim[l]) != me || (R(level[one]) < l && R(level[two]) < l));
		}
		critical_section();
		W(level[me], 0);
	}
}

MAIN(body, body, body)
