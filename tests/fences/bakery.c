/* SPDX-License-Identifier: ISC */
/* Lamport's bakery, for two threads, where the first ticket is another store than later ones.
 *
 * -DONE_STORE: where they are one, a full fence behind it takes the place of the one behind `choosing = 0' and
 * keeps the two in order as well.
 *
 * fences tso 4 0
 * fences pso 4 2
 * fences tso 4 0 -DONE_STORE
 * fences pso 4 0 -DONE_STORE
 */
#include "algorithm.h"

VAR choosing1, choosing2, number1, number2;

static void *first(void *arg)
{
	for (int i = 0, mine, other; i < ROUNDS; i++) {
		W(choosing1, 1);
		mine = R(number2) + 1;
#ifdef ONE_STORE
		W(number1, mine);
#else
		if (mine == 1)
			W(number1, 1);
		else
			W(number1, mine);
#endif
		W(choosing1, 0);
		AWAIT(!R(choosing2));
		AWAIT(!(other = R(number2)) || mine <= other);
		CRITICAL_SECTION();
		LEAVE(number1);
	}
	return (void *)(long)entered;
}

static void *second(void *arg)
{
	for (int i = 0, mine, other; i < ROUNDS; i++) {
		W(choosing2, 1);
		mine = R(number1) + 1;
#ifdef ONE_STORE
		W(number2, mine);
#else
		if (mine == 1)
			W(number2, 1);
		else
			W(number2, mine);
#endif
		W(choosing2, 0);
		AWAIT(!R(choosing1));
		AWAIT(!(other = R(number1)) || mine < other);
		CRITICAL_SECTION();
		LEAVE(number2);
	}
	return (void *)(long)entered;
}

MAIN(first, second)
