/* SPDX-License-Identifier: ISC */
/* Two mutexes used one after the other, not nested: each is taken in any order of the threads that
 * its predecessor's order does not forbid: (N!)^2. -DEACH: a mutex of its own for each thread: one
 * execution.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 4
 * counts -DN=3 sc,tso,pso,ra,rc11 36
 * counts -DN=4 sc,rc11 576
 * counts -DEACH -DN=2 sc,tso,pso,ra,rc11 1
 * counts -DEACH -DN=6 sc,tso,pso,ra,rc11 1
 */
#include "counts.h"

pthread_mutex_t mutex[N]; /* all zero: PTHREAD_MUTEX_INITIALIZER */
int counter[N];

static void use(int i)
{
	pthread_mutex_lock(&mutex[i]);
	counter[i]++;
	pthread_mutex_unlock(&mutex[i]);
}

THREAD(thread)
{
#ifdef EACH
	use(INDEX);
#else
	use(0);
	use(1);
#endif
	return NULL;
}

int main(void)
{
	for (int i = 0; i < N; i++)
		pthread_mutex_init(&mutex[i], NULL);
	start_many(thread, N);
	join_all(NULL);
#ifdef EACH
	for (int i = 0; i < N; i++)
		assert(counter[i] == 1);
#else
	assert(counter[0] == N && counter[1] == N);
#endif
	return 0;
}
