/* SPDX-License-Identifier: ISC */
/* Stores of increasing values, each repeated as often as one likes, and a thread that sees a smaller value second.
 *
 * prove sc proved
 * prove tso proved
 * prove pso proved
 * prove tso proved -DLAST=9
 * prove pso proved -DLAST=9
 */
#include "endless.h"

#ifndef LAST
#define LAST 4
#endif

VAR message;

static void *first(void *arg)
{
	for (int n = 1; n <= LAST; n += (int)heddle_choose(2))
		W(message, n);
	return NULL;
}

static void *second(void *arg)
{
	int one, two;

	W(message, 0);
	one = R(message);
	two = R(message);
	heddle_assert(one <= two);
	return NULL;
}

MAIN(first, second)
