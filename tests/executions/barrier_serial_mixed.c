/* SPDX-License-Identifier: ISC */
/* N threads meet in three rounds: in the first, one of them looks at the result; in the second, none;
 * in the third, all. Any of them may be the serial thread of the first and of the third one.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 4
 * counts -DN=3 sc,tso,rc11 9
 */
#include "counts.h"

pthread_barrier_t barrier;
int first, last[N];

THREAD(thread)
{
	if (INDEX == 0)
		first = pthread_barrier_wait(&barrier);
	else
		pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	last[INDEX] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
	return NULL;
}

int main(void)
{
	int serials = 0;

	pthread_barrier_init(&barrier, NULL, N);
	start_many(thread, N);
	join_all(NULL);
	for (int i = 0; i < N; i++)
		serials += last[i];
	assert(serials == 1);
	assert(!first || first == PTHREAD_BARRIER_SERIAL_THREAD);
	return 0;
}
