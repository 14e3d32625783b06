/* SPDX-License-Identifier: ISC */
/* Three loops without a fence, mixed in any order; one of them changes what the thread sees of its own stores.
 *
 * prove sc proved
 * prove tso proved
 * prove tso assertion -DWRONG
 */
#include "endless.h"

/* A place of its own, where all loops begin. */
#define BEGIN (void)R(begin)

VAR begin, x, y, z;

static void *writer(void *arg)
{
	W(x, 1);
	W(y, 1);
	W(z, 1);
	for (;;) {
		BEGIN;
		switch (heddle_choose(3)) {
		case 0: W(y, 1), W(z, 1); break;
		case 1: W(z, 1), W(x, 1); break;
		default: W(z, 2);
		}
	}
}

static void *reader(void *arg)
{
	int seen = 0;

	for (;;) {
		heddle_assert(R(x) >= seen);
		seen = R(x);
#ifdef WRONG
		if (R(z) == 2)
			heddle_assert(R(z) == 2);
#endif
	}
}

MAIN(writer, reader)
