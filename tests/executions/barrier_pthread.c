/* SPDX-License-Identifier: ISC */
/* pthread_barrier_wait: N threads meet L times. No thread learns the order of arrival, so there is
 * one execution for any number of rounds. -DRELAY: between two rounds each reads its neighbour's
 * earlier value: still one. -DMESSAGE, with N=2: before the round the first reads a value of the
 * second, and another thread reads the second's value from after the round: four.
 *
 * counts -DN=2 -DL=1 sc,tso,pso,ra,rc11 1
 * counts -DN=3 -DL=1 sc,tso,pso,ra,rc11 1
 * counts -DN=5 -DL=1 sc,tso,pso,ra,rc11 1
 * counts -DN=3 -DL=2 sc,tso,pso,ra,rc11 1
 * counts -DN=5 -DL=3 sc,tso,pso,ra,rc11 1
 * counts -DRELAY -DN=2 -DL=2 sc,tso,pso,ra,rc11 1
 * counts -DRELAY -DN=4 -DL=3 sc,tso,pso,ra,rc11 1
 * counts -DMESSAGE -DN=2 -DL=1 sc,tso,pso,ra,rc11 4
 * counts-rf -DMESSAGE -DN=2 -DL=1 sc,tso,pso,ra,rc11 4
 */
#include "counts.h"

pthread_barrier_t barrier;
atomic_int x[2][N];

THREAD(thread)
{
	for (int i = 0; i < L; i++) {
#ifdef RELAY
		store(&x[i % 2][INDEX], i + 1, RLX);
#elif defined(MESSAGE)
		if (INDEX)
			store(&x[0][0], 1, RLX);
		else
			load(&x[0][0], RLX);
#endif
		pthread_barrier_wait(&barrier);
#ifdef RELAY
		assert(load(&x[i % 2][(INDEX + 1) % N], RLX) == i + 1);
#elif defined(MESSAGE)
		if (INDEX)
			store(&x[0][1], 1, RLX);
#endif
	}
	return NULL;
}

#ifdef MESSAGE
THREAD(reader)
{
	load(&x[0][1], RLX);
	return NULL;
}
#endif

int main(void)
{
	pthread_barrier_init(&barrier, NULL, N);
#ifdef MESSAGE
	start(reader, 0);
#endif
	start_many(thread, N);
	join_all(NULL);
	return 0;
}
