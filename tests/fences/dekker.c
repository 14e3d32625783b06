/* SPDX-License-Identifier: ISC */
/* Dekker's mutual exclusion.
 *
 * fences tso 4 0
 * fences pso 4 0
 */
#include "algorithm.h"

VAR wants1, wants2, turn;

static void *first(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		W(wants1, 1);
		while (R(wants2)) {
			if (R(turn) == 1) {
				W(wants1, 0);
				AWAIT(R(turn) == 0);
				W(wants1, 1);
			}
		}
		CRITICAL_SECTION();
		W(turn, 1);
		LEAVE(wants1);
	}
	return (void *)(long)entered;
}

static void *second(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		W(wants2, 1);
		while (R(wants1)) {
			if (R(turn) == 0) {
				W(wants2, 0);
				AWAIT(R(turn) == 1);
				W(wants2, 1);
			}
		}
		CRITICAL_SECTION();
		W(turn, 0);
		LEAVE(wants2);
	}
	return (void *)(long)entered;
}

MAIN(first, second)
