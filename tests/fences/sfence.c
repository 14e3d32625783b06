/* SPDX-License-Identifier: ISC */
/* Three stores in order, and a thread that waits for ever if they are not.
 *
 * fences tso 0 0
 * fences pso 0 2
 */
#include "algorithm.h"

VAR x, y, z;

static void *first(void *arg)
{
	W(x, 1);
	W(y, 1);
	W(z, 1);
	return (void *)(long)entered;
}

static void *second(void *arg)
{
	if (!R(z)) {
		if (R(y))
			assert(R(x));
		AWAIT(R(z));
	}
	if (R(y))
		AWAIT(R(x));
	else
		AWAIT(!R(x));
	return (void *)(long)entered;
}

MAIN(first, second)
