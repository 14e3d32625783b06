/* SPDX-License-Identifier: ISC */
/* Two loops without a fence, mixed in any order, and a thread that sees what they store.
 *
 * prove sc proved
 * prove tso proved
 * prove pso proved
 * prove tso assertion -DWRONG
 */
#include "endless.h"

/* A place of its own, where all loops begin. */
#define BEGIN (void)R(begin)

VAR begin, x, y;

static void *writer(void *arg)
{
	for (;;) {
		BEGIN;
		switch (heddle_choose(3)) {
		case 0: W(x, 1); break;
#ifdef WRONG
		case 1: W(x, 0); break;
#else
		case 1: W(y, 1); break;
#endif
		default: return NULL;
		}
	}
}

static void *reader(void *arg)
{
	int seen = 0;

	for (;;) {
		heddle_assert(R(x) >= seen);
		seen = R(x);
		heddle_assert(R(y) <= 1);
	}
}

MAIN(writer, reader)
