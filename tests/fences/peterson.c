/* SPDX-License-Identifier: ISC */
/* Peterson's mutual exclusion.
 *
 * fences tso 2 0
 * fences pso 2 2
 */
#include "algorithm.h"

VAR wants1, wants2, victim;

static void *first(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		W(wants1, 1);
		W(victim, 1);
		AWAIT(!R(wants2) || R(victim) != 1);
		CRITICAL_SECTION();
		LEAVE(wants1);
	}
	return (void *)(long)entered;
}

static void *second(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		W(wants2, 1);
		W(victim, 2);
		AWAIT(!R(wants1) || R(victim) != 2);
		CRITICAL_SECTION();
		LEAVE(wants2);
	}
	return (void *)(long)entered;
}

MAIN(first, second)
