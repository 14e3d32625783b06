/* SPDX-License-Identifier: ISC */
/* Three threads at a barrier for two: one of them is left, in each execution. Graphs cannot
 * represent it: the program is sampled, then searched on store buffers, and findings of the samples
 * are not counted again.
 *
 * counts sc 0 deadlock
 */
#include "counts.h"

pthread_barrier_t barrier;

THREAD(thread)
{
	pthread_barrier_wait(&barrier);
	return NULL;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	start_many(thread, 3);
	join_all(NULL);
	return 0;
}
