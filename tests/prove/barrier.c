/* SPDX-License-Identifier: ISC */
/* Two threads that write in turn, a round each, between barriers, and read in the next round.
 *
 * prove sc proved
 * prove tso proved
 * prove pso proved
 * prove sc assertion -DONE
 */
#include "endless.h"

VAR value[2];

static pthread_barrier_t written, seen;

static void *body(void *arg)
{
	int me = (int)(long)arg;

	for (int round = 0;; round = (round + 1) % 3) {
		W(value[me], round);
		pthread_barrier_wait(&written);
		heddle_assert(R(value[!me]) == round);
#ifndef ONE
		pthread_barrier_wait(&seen);
#endif
	}
}

int main(void)
{
	void *(*const threads[])(void *) = {body, body};

	pthread_barrier_init(&written, NULL, 2);
	pthread_barrier_init(&seen, NULL, 2);
	run(2, threads);
	return 0;
}
