/* SPDX-License-Identifier: ISC */
/* One of N threads that meet is the serial thread: any of them, in each of two rounds, as far as the
 * program looks at the result. -DPASS: it does not.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 4
 * counts -DN=3 sc,tso,rc11 9
 * counts -DN=3 -DPASS sc,rc11 1
 * counts-rf -DN=2 sc,tso,rc11 4
 */
#include "counts.h"

pthread_barrier_t barrier;
int serial[2][N];

THREAD(thread)
{
	for (int i = 0; i < 2; i++) {
#ifdef PASS
		pthread_barrier_wait(&barrier);
#else
		int r = pthread_barrier_wait(&barrier);

		assert(!r || r == PTHREAD_BARRIER_SERIAL_THREAD);
		serial[i][INDEX] = r != 0;
#endif
	}
	return NULL;
}

int main(void)
{
	int serials = 0;

	pthread_barrier_init(&barrier, NULL, N);
	start_many(thread, N);
	join_all(NULL);
	for (int i = 0; i < 2 * N; i++)
		serials += serial[i / N][i % N];
#ifndef PASS
	assert(serials == 2);
#endif
	return 0;
}
