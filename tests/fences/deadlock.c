/* SPDX-License-Identifier: ISC */
/* Both threads wait for ever, each for a value that the other has already changed, if both loads overtake the
 * stores. (A thread that has read 1 does not wait: the other may have ended.)
 *
 * fences tso 2 0
 * fences pso 2 0
 */
#include "algorithm.h"

VAR x, y;

static void *first(void *arg)
{
	for (int i = 0, r; i < ROUNDS; i++) {
		W(x, 1);
		r = R(y);
		AWAIT(R(y) <= r);
		W(x, 0);
	}
	return (void *)(long)entered;
}

static void *second(void *arg)
{
	for (int i = 0, r; i < ROUNDS; i++) {
		W(y, 1);
		r = R(x);
		AWAIT(R(x) <= r);
		W(y, 0);
	}
	return (void *)(long)entered;
}

MAIN(first, second)
