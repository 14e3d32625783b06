/* SPDX-License-Identifier: ISC */
/* ring.h - the operations of examples/spsc_ring.c, for heddle generate. */
#define main its_client
#include "../../../examples/spsc_ring.c"
#include <heddle/generate.h>

static int64_t take(void)
{
	int v;

	return get(&v) ? v : HEDDLE_EMPTY;
}

HEDDLE_SPECIFICATION(bounded_queue, SLOTS)
HEDDLE_THREAD(enq: put(new))
HEDDLE_THREAD(deq: take())
HEDDLE_AFTER(deq: take())
