/* SPDX-License-Identifier: ISC */
/* A ring between a producer and a consumer, both endless; values and positions are modulo 4.
 *
 * prove sc proved
 * prove tso proved
 * prove pso proved --buffer-size=8
 * prove pso assertion -DRELAXED
 */
#include "endless.h"

#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

#define SLOTS 2

VAR head, tail;
static int slot[SLOTS];

static void *producer(void *arg)
{
	for (int at = 0;; at = (at + 1) % 4) {
		AWAIT((at - atomic_load_explicit(&head, memory_order_acquire) + 4) % 4 < SLOTS);
		slot[at % SLOTS] = at;
		atomic_store_explicit(&tail, (at + 1) % 4, ORDER);
	}
}

static void *consumer(void *arg)
{
	for (int at = 0;; at = (at + 1) % 4) {
		AWAIT(atomic_load_explicit(&tail, memory_order_acquire) != at);
		heddle_assert(slot[at % SLOTS] == at);
		atomic_store_explicit(&head, (at + 1) % 4, ORDER);
	}
}

MAIN(producer, consumer)
