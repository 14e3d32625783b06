/* SPDX-License-Identifier: ISC */
/* Szymanski's mutual exclusion for two threads: a waiting room with two doors.
 *
 * fences tso 3 0
 * fences pso 3 0
 */
#include "algorithm.h"

VAR flag1, flag2;

static void *first(void *arg)
{
	for (int i = 0, f; i < ROUNDS; i++) {
		W(flag1, 1);
		AWAIT(R(flag2) < 3);
		W(flag1, 3);
		if (R(flag2) == 1) {
			W(flag1, 2);
			AWAIT(R(flag2) == 4);
		}
		W(flag1, 4);
		CRITICAL_SECTION();
		AWAIT((f = R(flag2)) != 2 && f != 3);
		LEAVE(flag1);
	}
	return (void *)(long)entered;
}

static void *second(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		W(flag2, 1);
		AWAIT(R(flag1) < 3);
		W(flag2, 3);
		if (R(flag1) == 1) {
			W(flag2, 2);
			AWAIT(R(flag1) == 4);
		}
		W(flag2, 4);
		AWAIT(R(flag1) < 2);
		CRITICAL_SECTION();
		LEAVE(flag2);
	}
	return (void *)(long)entered;
}

MAIN(first, second)
