/* SPDX-License-Identifier: ISC */
/* A thread computes in memory of its own, where it also counts how often it has looked at a flag, at most
 * K times: one execution for each time at which it first sees the flag, and one in which it does not, K + 1.
 * -DWAIT: it stores the same there each time, and so waits for the flag: one execution.
 *
 * counts -DK=3 sc,tso,pso,ra,rc11 4
 * counts -DK=6 sc,tso,pso,ra,rc11 7
 * counts -DWAIT sc,tso,pso,ra,rc11 1
 */
#include "counts.h"

#define SIZE 64

static atomic_int flag;
static int own[SIZE];

THREAD(writer)
{
	store(&flag, 1, RLX);
	return NULL;
}

static NOINLINE void compute(void)
{
	for (int i = 0; i < 8 * SIZE; i++)
		own[i % SIZE] = own[(i + 1) % SIZE] + i;
	own[0] = 0;
}

THREAD(reader)
{
	compute();
#ifdef WAIT
	while (!load(&flag, ACQ))
		own[0] = 0;
#else
	while (own[0] < K && !load(&flag, ACQ))
		own[0]++;
#endif
	return NULL;
}

int main(void)
{
	start(writer, 0);
	start(reader, 0);
	join_all(NULL);
	return 0;
}
