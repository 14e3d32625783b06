/* SPDX-License-Identifier: ISC */
/* Threads that wait for a value: only executions where each has seen it count.
 *
 * -DCHAIN N threads, each waits for the one before it: one. -DALL: N threads wait for one flag:
 * one. -DANY: the flag is raised by N threads, one waits for it to be raised: N! * N.
 * -DTURNS: N threads wait for their turn and pass it on, L rounds: one.
 * -DPOLL: N threads, each waits until its own flag has been counted up to L: one.
 * -DHEAD: the test is at the head of the loop, behind a first load, beside a writer of N values: one if both loads are
 * known to be the same (clang), N + 1 if the first is a load of its own (gcc).
 *
 * counts -DCHAIN -DN=2 sc,tso,pso,ra,rc11 1
 * counts -DCHAIN -DN=6 sc,tso,pso,ra,rc11 1
 * counts -DALL -DN=4 sc,tso,pso,ra,rc11 1
 * counts -DANY -DN=2 sc,tso,pso,ra,rc11 4
 * counts -DANY -DN=4 sc,tso,pso,ra,rc11 96
 * counts -DTURNS -DN=2 -DL=3 sc,tso,pso,ra,rc11 1
 * counts -DTURNS -DN=4 -DL=2 sc,tso,pso,ra,rc11 1
 * counts -DHEAD -O0 -DN=42 sc,rc11 1
 * counts -DHEAD -DN=42 rc11 1
 * counts --gcc -DHEAD -O0 -DN=42 sc,rc11 43
 * counts --gcc -DHEAD -O0 -DMASK -DN=12 rc11 13
 * counts --gcc -DHEAD -O2 -DN=42 rc11 43
 * counts-rf -DPOLL -DN=4 -DL=6 sc,tso,pso 1
 */
#include "counts.h"

#ifndef L
#define L 1
#endif

atomic_int flag[N + 1];

THREAD(wait)
{
#if defined(CHAIN)
	while (!load(&flag[INDEX], ACQ))
		;
	store(&flag[INDEX + 1], 1, REL);
#elif defined(TURNS)
	for (int i = 0; i < L; i++) {
		while (load(&flag[0], ACQ) != i * N + INDEX)
			;
		store(&flag[0], i * N + INDEX + 1, REL);
	}
#elif defined(HEAD)
	int seen = load(&flag[0], ACQ);
#ifdef MASK
	while ((seen & 0xff) - 1 < N - 1)
#else
	while (seen != N)
#endif
		seen = load(&flag[0], ACQ);
#elif defined(POLL)
	while (load(&flag[INDEX], ACQ) != L)
		;
#else
	while (!load(&flag[0], ACQ))
		;
#endif
	return NULL;
}

THREAD(raise)
{
#ifdef POLL
	for (int i = 0; i < N * L; i++)
		store(&flag[i / L], i % L + 1, REL);
#elif defined(HEAD)
	for (int i = 1; i <= N; i++)
		store(&flag[0], i, REL);
#else
	store(&flag[0], INDEX + 1, REL);
#endif
	return NULL;
}

int main(void)
{
#if defined(HEAD)
	start(wait, 0);
	start(raise, 0);
#elif defined(CHAIN) || defined(ALL) || defined(POLL)
	start_many(wait, N);
	start(raise, 0);
#elif defined(TURNS)
	start_many(wait, N);
	(void)raise;
#else
	start(wait, 0);
	start_many(raise, N);
#endif
	join_all(NULL);
	return 0;
}
