/* SPDX-License-Identifier: ISC */
/* graph: sc tso pso ra rc11; */
/* Creation and join order plain data; thread-local variables and stacks are private to each
 * thread. */
#include "two.h"

static int before, after[2];
static _Thread_local int own;

static void *work(void *arg)
{
	int me = (int)(intptr_t)arg, local[2] = {me, before};

	own += local[1];
	after[me] = own + local[0];
	return NULL;
}

int main(void)
{
	before = 10;
	own = 5;
	two(work, (void *)0, work, (void *)1);
	printf("%d %d %d\n", after[0], after[1], own);
	return 0;
}
