/* SPDX-License-Identifier: ISC */
/* Dijkstra's mutual exclusion, for two threads. They give up after a few tries, and after taking the turn
 * twice, so that every execution ends.
 *
 * fences tso 2 0
 * fences pso 2 0
 */
#include "algorithm.h"

#define TRIES 2

VAR flag1, flag2, turn;

static void *first(void *arg)
{
	for (int i = 0, tries = 0; i < ROUNDS && tries < TRIES; tries++) {
		int taken = 0;

		W(flag1, 1);
		while (R(turn) != 0 && taken < 2)
			if (!R(flag2)) {
				W(turn, 0);
				taken++;
			}
		if (taken == 2)
			break;
		W(flag1, 2);
		if (R(flag2) == 2)
			continue;
		CRITICAL_SECTION();
		LEAVE(flag1);
		i++;
	}
	LEAVE(flag1);
	return (void *)(long)entered;
}

static void *second(void *arg)
{
	for (int i = 0, tries = 0; i < ROUNDS && tries < TRIES; tries++) {
		int taken = 0;

		W(flag2, 1);
		while (R(turn) != 1 && taken < 2)
			if (!R(flag1)) {
				W(turn, 1);
				taken++;
			}
		if (taken == 2)
			break;
		W(flag2, 2);
		if (R(flag1) == 2)
			continue;
		CRITICAL_SECTION();
		LEAVE(flag2);
		i++;
	}
	LEAVE(flag2);
	return (void *)(long)entered;
}

MAIN(first, second)
