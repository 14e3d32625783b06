/* SPDX-License-Identifier: ISC */
/* The queue lock of Craig, Landin and Hagersten.
 *
 * prove sc proved
 * prove tso proved
 * prove pso proved
 */
#include "endless.h"

VAR locked[3], tail;

static void *body(void *arg)
{
	int node = (int)(long)arg + 1, before;

	for (;;) {
		W(locked[node], 1);
		before = R(tail);
		while (!atomic_compare_exchange_strong(&tail, &before, node))
			;
		AWAIT(!R(locked[before]));
		critical_section();
		W(locked[node], 0);
		node = before;
	}
}

MAIN(body, body)
