/* SPDX-License-Identifier: ISC */
/* Single-producer single-consumer ring of SIZE places: N tries to put, N tries to take; full and
 * empty are results. -DWAIT: both wait until it succeeds; then each read but the last is fruitless,
 * and one way is left: (waiting for one of several later values gives more).
 *
 * counts -DN=1 sc,tso,pso,ra,rc11 2
 * counts -DN=2 sc,tso,pso,ra,rc11 9
 * counts -DN=3 sc 44
 * counts -DN=3 tso,pso,ra,rc11 47
 * counts -DN=4 sc 225
 * counts -DN=4 rc11 256
 * counts -DWAIT -DN=2 sc,tso,pso,ra,rc11 3
 * counts -DWAIT -DN=4 sc,tso,pso,ra,rc11 27
 */
#include "counts.h"

#define SIZE 2

atomic_int head, tail;
int place[SIZE];

THREAD(producer)
{
	int done = 0;

	for (int i = 0; i < N; i++) {
		int t = load(&tail, RLX);

#ifdef WAIT
		while (t - load(&head, ACQ) == SIZE)
			;
#else
		if (t - load(&head, ACQ) == SIZE)
			continue;
#endif
		place[t % SIZE] = ++done;
		store(&tail, t + 1, REL);
	}
	RETURN(done, 0, 0, 0);
}

THREAD(consumer)
{
	int seen = 0;

	for (int i = 0; i < N; i++) {
		int h = load(&head, RLX);

#ifdef WAIT
		while (h == load(&tail, ACQ))
			;
#else
		if (h == load(&tail, ACQ))
			continue;
#endif
		seen++;
		assert(place[h % SIZE] == seen);
		store(&head, h + 1, REL);
	}
	RETURN(seen, 0, 0, 0);
}

int main(void)
{
	start(producer, 0);
	start(consumer, 0);
	join_all(NULL);
	return 0;
}
