/* SPDX-License-Identifier: ISC */
/* Lamport's bakery, for three threads, where the first tickets are other stores than later ones. Once is enough.
 *
 * fences-long tso 6 0
 * fences-long pso 6 3
 */
#define ROUNDS 1
#include "algorithm.h"

VAR choosing[3], number[3];

static void *first(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		int mine = 0, n;

		W(choosing[0], 1);
		for (int j = 1; j < 3; j++)
			if ((n = R(number[j])) > mine)
				mine = n;
		if (mine == 0)
			W(number[0], 1);
		else if (mine == 1)
			W(number[0], 2);
		else
			W(number[0], mine + 1);
		W(choosing[0], 0);
		for (int j = 1; j < 3; j++) {
			AWAIT(!R(choosing[j]));
			AWAIT(!(n = R(number[j])) || mine + 1 <= n);
		}
		CRITICAL_SECTION();
		LEAVE(number[0]);
	}
	return (void *)(long)entered;
}

static void *second(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		int mine = 0, n;

		W(choosing[1], 1);
		for (int j = 0; j < 3; j += 2)
			if ((n = R(number[j])) > mine)
				mine = n;
		if (mine == 0)
			W(number[1], 1);
		else if (mine == 1)
			W(number[1], 2);
		else
			W(number[1], mine + 1);
		W(choosing[1], 0);
		for (int j = 0; j < 3; j += 2) {
			AWAIT(!R(choosing[j]));
			AWAIT(!(n = R(number[j])) || mine + 1 < n + (j > 1));
		}
		CRITICAL_SECTION();
		LEAVE(number[1]);
	}
	return (void *)(long)entered;
}

static void *third(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		int mine = 0, n;

		W(choosing[2], 1);
		for (int j = 0; j < 2; j++)
			if ((n = R(number[j])) > mine)
				mine = n;
		if (mine == 0)
			W(number[2], 1);
		else if (mine == 1)
			W(number[2], 2);
		else
			W(number[2], mine + 1);
		W(choosing[2], 0);
		for (int j = 0; j < 2; j++) {
			AWAIT(!R(choosing[j]));
			AWAIT(!(n = R(number[j])) || mine + 1 < n);
		}
		CRITICAL_SECTION();
		LEAVE(number[2]);
	}
	return (void *)(long)entered;
}

MAIN(first, second, third)
