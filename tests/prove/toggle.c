/* SPDX-License-Identifier: ISC */
/*
 * A writer toggles data, and sets a flag that the reader clears; without -DSF the flag overtakes
 * the data. The writer waits by reading its own store of the flag, in a buffer, again and again.
 *
 * prove sc proved
 * prove tso proved
 * prove pso proved -DSF
 * prove pso assertion
 */
#include "endless.h"

static VAR data, flag;

static void *writer(void *arg)
{
	for (;;) {
		AWAIT(!R(flag));
		W(data, !R(data));
		STORE_FENCE;
		W(flag, 1);
	}
}

static void *reader(void *arg)
{
	for (int expected = 1;; expected = !expected) {
		AWAIT(R(flag));
		heddle_assert(R(data) == expected);
		W(flag, 0);
	}
}

MAIN(writer, reader)
