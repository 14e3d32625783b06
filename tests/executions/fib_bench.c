/* SPDX-License-Identifier: ISC */
/* Fibonacci: two threads add the other's number to theirs, N times each: x += y with y += x, and
 * main reads both meanwhile: how large may they get? (SV-COMP's fib_bench.) Release and acquire:
 * the same executions under TSO, PSO, RA and RC11.
 *
 * counts -DN=1 sc,tso,pso,ra,rc11 11
 * counts -DN=2 sc 140
 * counts -DN=2 tso,pso,ra,rc11 153
 * counts -DN=3 sc 1698
 * counts -DN=3 tso,pso,ra,rc11 2258
 * counts -DN=4 sc 19605
 * counts -DN=4 rc11 34205
 * counts-bench -DN=4 sc 19605
 * counts-bench -DN=4 tso,pso,ra,rc11 34205
 * counts-bench -DN=5 sc 218243
 * counts-bench -DN=5 tso,pso,ra,rc11 525630
 */
#include "counts.h"

atomic_int x = 1, y = 1;

THREAD(a)
{
	for (int i = 0; i < N; i++) {
		int other = load(&y, ACQ);
		int mine = load(&x, ACQ);

		store(&x, mine + other, REL);
	}
	return NULL;
}

THREAD(b)
{
	for (int i = 0; i < N; i++) {
		int other = load(&x, ACQ);
		int mine = load(&y, ACQ);

		store(&y, mine + other, REL);
	}
	return NULL;
}

int main(void)
{
	int last;

	start(a, 0);
	start(b, 0);
	last = load(&x, ACQ) + load(&y, ACQ);
	(void)last;
	join_all(NULL);
	return 0;
}
