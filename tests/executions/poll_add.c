/* SPDX-License-Identifier: ISC */
/* A thread adds to a count and takes it back until another one, which reads the count three times
 * first, stops it. Each read finds the initial count or that within an iteration. Iterations
 * between two reads, which no read observes, make no executions.
 *
 * So f(n) executions of n reads: the first read finds the initial count, or it and others after it
 * are in one iteration. f(n) = f(n - 1) + f(n - 1) + f(n - 2) + ... + f(0): 1, 2, 5, 13. By
 * default the first iteration is made in any case: any number of reads come before it, and any number of the
 * others are in it: f(3) + 2 f(2) + 3 f(1) + 4 f(0). -DWHILE: f(3).
 *
 * -DSET: the other one also sets the count to what it was, between its first two reads, perhaps
 * within a turn. The numbers are those of all interleavings without the turns that no read finds.
 *
 * counts sc,tso,pso,ra,rc11 33
 * counts -DWHILE sc,tso,pso,ra,rc11 13
 * counts -O0 sc,rc11 33
 * counts -DWHILE -O2 sc,rc11 13
 * counts -DSET sc,tso,pso,ra,rc11 52
 * counts -DSET -DSHORT sc,rc11 21
 */
#include "counts.h"

atomic_int count, stop;

static void turn(void)
{
	add(&count, 4, RLX);
	sub(&count, 4, RLX);
}

THREAD(poll)
{
	(void)arg;
#ifdef WHILE
	while (!load(&stop, RLX))
		turn();
#else
	do
		turn();
	while (!load(&stop, RLX));
#endif
	return NULL;
}

THREAD(look)
{
	int a = load(&count, RLX), b, c = 0;

	(void)arg;
#ifdef SET
	store(&count, 0, RLX);
#endif
	b = load(&count, RLX);
#ifndef SHORT
	c = load(&count, RLX);
#endif
	store(&stop, 1, RLX);
	RETURN(a, b, c, 0);
}

int main(void)
{
	start(poll, 0);
	start(look, 0);
	join_all(NULL);
	return 0;
}
