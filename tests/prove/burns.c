/* SPDX-License-Identifier: ISC */
/* Burns's mutual exclusion: one bit each; the second thread gives way, with stores but no fence, so its buffer has
 * no bound.
 *
 * prove sc proved
 * prove tso assertion
 * prove pso assertion
 * prove tso proved -DMF
 * prove pso proved -DMF
 * prove tso bounded -DMF --buffer-size=6
 */
#include "endless.h"

VAR bit[2];

static void *first(void *arg)
{
	for (;;) {
		W(bit[0], 1);
		FULL_FENCE;
		AWAIT(!R(bit[1]));
		critical_section();
		W(bit[0], 0);
	}
}

static void *second(void *arg)
{
	for (;;) {
		W(bit[1], 0);
		if (R(bit[0]))
			continue;
		W(bit[1], 1);
		FULL_FENCE;
		if (R(bit[0]))
			continue;
		critical_section();
		W(bit[1], 0);
	}
}

MAIN(first, second)
