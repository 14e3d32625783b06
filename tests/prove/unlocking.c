/* SPDX-License-Identifier: ISC */
/* Two threads that let each other go on, again and again, until one changes its variable before the other has seen it.
 *
 * prove sc livelock
 * prove tso livelock
 * prove pso livelock
 * prove sc proved --detect=none
 * prove tso proved --detect=none
 * prove pso proved --detect=none
 */
#include "endless.h"

VAR x = 1, y = 1;

static void *first(void *arg)
{
	for (;;) {
		W(x, 1);
		AWAIT(R(y) == 1);
		W(x, 0);
		AWAIT(R(y) == 1);
	}
}

static void *second(void *arg)
{
	for (;;) {
		W(y, 1);
		AWAIT(R(x) == 0);
		W(y, 0);
		AWAIT(R(x) == 1);
	}
}

MAIN(first, second)
