/* SPDX-License-Identifier: ISC */
/* Burns's mutual exclusion: one bit each, the second thread gives way. It tries a few times only, so that
 * every execution ends.
 *
 * fences tso 2 0
 * fences pso 2 0
 */
#include "algorithm.h"

#define TRIES 3

VAR bit1, bit2;

static void *first(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		W(bit1, 1);
		AWAIT(!R(bit2));
		CRITICAL_SECTION();
		LEAVE(bit1);
	}
	return (void *)(long)entered;
}

static void *second(void *arg)
{
	for (int i = 0, tries = 0; i < ROUNDS && tries < TRIES; tries++) {
		W(bit2, 0);
		if (R(bit1))
			continue;
		W(bit2, 1);
		if (R(bit1))
			continue;
		CRITICAL_SECTION();
		LEAVE(bit2);
		i++;
	}
	W(bit2, 0);
	return (void *)(long)entered;
}

MAIN(first, second)
