/* SPDX-License-Identifier: ISC */
/* Critical sections of one mutex, by N threads: each adds to a variable of its own, all read one,
 * or all add to one. As objects the sections are in some order: N! of them. As traces only those
 * that conflict: 1, 1, N!. With PAIRS, threads i and i + 1, i even, add to one variable: 2^(N/2).
 * With NESTED, each section is within one of another mutex, so all are ordered.
 *
 * counts -DN=3 sc,rc11 6
 * counts -DN=4 sc,tso,pso,ra,rc11 24
 * counts -DN=4 -DREAD rc11 24
 * counts-traces -DN=3 sc,rc11 1
 * counts-traces -DN=4 sc,tso,pso,ra,rc11 1
 * counts-traces -DN=10 sc,rc11 1
 * counts-traces -DN=4 -DREAD sc,rc11 1
 * counts-traces -DN=4 -DSAME sc,rc11 24
 * counts-traces -DN=5 -DSAME rc11 120
 * counts-traces -DN=4 -DPAIRS sc,rc11 4
 * counts-traces -DN=8 -DPAIRS rc11 16
 * counts-traces -DN=3 -DNESTED sc,rc11 6
 */
#include "counts.h"

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, mutex = PTHREAD_MUTEX_INITIALIZER;
int count[N];

static int use(int i)
{
#if defined(READ)
	return count[0 * i];
#elif defined(SAME)
	return count[0 * i]++;
#elif defined(PAIRS)
	return count[i & ~1]++;
#else
	return count[i]++;
#endif
}

THREAD(thread)
{
	int seen;

#ifdef NESTED
	pthread_mutex_lock(&outer);
#endif
	pthread_mutex_lock(&mutex);
	seen = use(INDEX);
	pthread_mutex_unlock(&mutex);
#ifdef NESTED
	pthread_mutex_unlock(&outer);
#endif
	RETURN(seen, 0, 0, 0);
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < N; i++)
		start(thread, i);
	join_all(NULL);
	for (int i = 0; i < N; i++)
		sum += count[i];
#ifndef READ
	assert(sum == N);
#endif
	return 0;
}
