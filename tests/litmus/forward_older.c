/* SPDX-License-Identifier: ISC */
/* A forwarded load that is not harmless: x=1; y=1; r=x(1) with x=2; full fence; r=y(0), and x
 * ends as 2.
 *
 * The load is served from an entry of the buffer that is not the youngest. Under SC the second
 * thread's store comes after r=x(1), so after y=1.
 *
 * verdict  sc   ok complete
 * verdict  tso  assertion reorder
 * verdict  pso  assertion reorder
 * verdict  -DRELEASE tso  assertion reorder
 * verdict  -DRELEASE pso  assertion reorder
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x, y;

static void *a(void *arg)
{
	int r[4] = {0};

	W(&x, 1);
	W(&y, 1);
	r[0] = R(&x);
	RETURN(r[0], r[1], r[2], r[3]);
}

static void *b(void *arg)
{
	int r[4] = {0};

	W(&x, 2);
	atomic_thread_fence(memory_order_seq_cst);
	r[0] = R(&y);
	RETURN(r[0], r[1], r[2], r[3]);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!(GET(r[0], 0) == 1 && GET(r[1], 0) == 0 && R(&x) == 2));
	return 0;
}
