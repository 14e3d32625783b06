/* SPDX-License-Identifier: ISC */
/* N threads that count, and do not look at what they have read: in any order, which is one trace.
 * -DLOOK: another thread reads the count; each addition comes before that, or after it: 2^N.
 * -DPOST: they post a semaphore; main waits for it N times, after their end. -DWAIT: before it; the k-th wait
 * comes after k posts or more, so the numbers of waits before each post are a parking function: (N + 1)^(N - 1).
 *
 * As graphs, where additions are ordered: N!; N! (N + 1); N!; N! times the N-th Catalan number.
 *
 * counts -DN=3 sc,rc11 6
 * counts -DN=3 -DLOOK sc,rc11 24
 * counts -DN=3 -DPOST sc,rc11 6
 * counts -DN=3 -DWAIT sc,rc11 30
 * counts -DN=4 -DWAIT rc11 336
 * counts-traces -DN=3 sc,tso,pso,rc11 1
 * counts-traces -O0 -DN=8 sc,rc11 1
 * counts-traces -DN=4 -DLOOK sc,rc11 16
 * counts-traces -DN=4 -DUSED sc,rc11 24
 * counts-traces -DN=8 -DPOST sc,rc11 1
 * counts-traces -DN=3 -DWAIT sc,rc11 16
 * counts-traces -DN=4 -DWAIT sc,tso,pso,ra,rc11 125
 */
#include "counts.h"

#include <semaphore.h>

atomic_int count;
sem_t sem;

THREAD(thread)
{
	(void)arg;
#if defined(POST) || defined(WAIT)
	sem_post(&sem);
#elif defined(USED)
	RETURN(add(&count, 1, SC), 0, 0, 0);
#else
	add(&count, 1, SC);
#endif
	return NULL;
}

#ifdef LOOK
THREAD(look)
{
	(void)arg;
	RETURN(load(&count, SC), 0, 0, 0);
}
#endif

static void wait_for_all(void)
{
#if defined(POST) || defined(WAIT)
	for (int i = 0; i < N; i++)
		sem_wait(&sem);
#endif
}

int main(void)
{
	sem_init(&sem, 0, 0);
	for (int i = 0; i < N; i++)
		start(thread, i);
#ifdef LOOK
	start(look, N);
#endif
#ifdef WAIT
	wait_for_all();
#endif
	join_all(NULL);
#ifdef POST
	wait_for_all();
#endif
#if !defined(POST) && !defined(WAIT)
	assert(count == N);
	(void)wait_for_all;
#endif
	return 0;
}
