/* SPDX-License-Identifier: ISC */
/* A counter modulo 8, protected by a spinlock.
 *
 * prove sc proved
 * prove tso proved
 * prove pso proved
 * prove pso assertion -DRELAXED
 */
#include "endless.h"

#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

VAR locked;
static int counter, copy;

static void *body(void *arg)
{
	for (;;) {
		AWAIT(!atomic_exchange_explicit(&locked, 1, memory_order_acquire));
		heddle_assert(counter == copy);
		counter = (counter + 1) % 8;
		copy = counter;
		atomic_store_explicit(&locked, 0, ORDER);
	}
}

MAIN(body, body)
