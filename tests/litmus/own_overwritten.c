/* SPDX-License-Identifier: ISC */
/* A thread's own store may be overwritten before the thread reads it: x=1; r=x(2) with x=2.
 *
 * Under SC that takes no more than the second store between the two steps. With store buffers x=1
 * has to reach memory first, so the load is a step at which other things may happen, although the
 * thread has the value at hand. The same if it waits for the other value, or memcpy() does the
 * reading.
 *
 * verdict  sc   assertion noreorder
 * verdict  tso  assertion noreorder
 * verdict  pso  assertion noreorder
 * verdict  -DVOLATILE tso  assertion noreorder
 * verdict  -DMOV pso  assertion noreorder
 * verdict  -DRELEASE pso  assertion noreorder
 * verdict  -DF_MFENCE tso  assertion noreorder
 * verdict  -DSEQ_CST tso  assertion noreorder
 * verdict  -DAWAIT sc   assertion noreorder -- --detect=-livelock
 * verdict  -DAWAIT tso  assertion noreorder -- --detect=-livelock
 * verdict  -DAWAIT pso  assertion noreorder -- --detect=-livelock
 * verdict  -DCOPY sc   assertion noreorder
 * verdict  -DCOPY tso  assertion noreorder
 * verdict  -DCOPY pso  assertion noreorder
 * executions sc 3
 * executions tso 6
 * executions pso 6
 * executions -DF_MFENCE tso 3
 * options  --strategy dfs
 */
#include "litmus.h"

#include <string.h>

static VAR x;
#ifdef COPY
static volatile size_t size = sizeof x; /* so that compilers leave the call */
#endif

static void *a(void *arg)
{
	int r[4] = {0};

	W(&x, 1);
	F();
#if defined(AWAIT)
	while (!r[0])
		r[0] = R(&x) == 2;
	r[0] = 2;
#elif defined(COPY)
	atomic_signal_fence(memory_order_seq_cst);
	memcpy(&r[0], (void *)&x, size);
#else
	r[0] = R(&x);
#endif
	RETURN(r[0], r[1], r[2], r[3]);
}

static void *b(void *arg)
{
	W(&x, 2);
	RETURN(0, 0, 0, 0);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!(GET(r[0], 0) == 2));
	return 0;
}
