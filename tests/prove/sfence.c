/* SPDX-License-Identifier: ISC */
/* Two stores in order, as often as one likes, then a third one, and a thread that waits for ever if they are not in order.
 *
 * prove sc proved
 * prove tso proved
 * prove pso deadlock
 * prove pso proved -DSF
 */
#include "endless.h"

#include <semaphore.h>

VAR x, y, z;

static sem_t never;

static void *first(void *arg)
{
	while (heddle_choose(2)) {
		W(x, 1);
		STORE_FENCE;
		W(y, 1);
	}
	STORE_FENCE;
	W(z, 1);
	return NULL;
}

static void *second(void *arg)
{
	if (!R(z)) {
		if (R(y) && !R(x))
			sem_wait(&never);
		AWAIT(R(z));
	}
	if (R(y))
		AWAIT(R(x));
	else
		AWAIT(!R(x));
	return NULL;
}

MAIN(first, second)
