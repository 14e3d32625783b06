/* SPDX-License-Identifier: ISC */
/* Lamport's fast mutex, for two threads.
 *
 * fences tso 4 0
 * fences pso 4 2
 */
#include "algorithm.h"

VAR b1, b2, x, y;

static void *first(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
again:
		W(b1, 1);
		W(x, 1);
		if (R(y)) {
			W(b1, 0);
			AWAIT(!R(y));
			goto again;
		}
		W(y, 1);
		if (R(x) != 1) {
			W(b1, 0);
			AWAIT(!R(b2));
			if (R(y) != 1) {
				AWAIT(!R(y));
				goto again;
			}
		}
		CRITICAL_SECTION();
		LEAVE(y);
		W(b1, 0);
	}
	return (void *)(long)entered;
}

static void *second(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
again:
		W(b2, 1);
		W(x, 2);
		if (R(y)) {
			W(b2, 0);
			AWAIT(!R(y));
			goto again;
		}
		W(y, 2);
		if (R(x) != 2) {
			W(b2, 0);
			AWAIT(!R(b1));
			if (R(y) != 2) {
				AWAIT(!R(y));
				goto again;
			}
		}
		CRITICAL_SECTION();
		LEAVE(y);
		W(b2, 0);
	}
	return (void *)(long)entered;
}

MAIN(first, second)
