/* SPDX-License-Identifier: ISC */
/*
 * A barrier for two on the stack of a function that is called twice, with two other threads each
 * time: four threads wait at that address, none is too many. Initialised once only, it is (-DONCE).
 *
 * verdict sc ok complete -- --strategy graph --detect=+barrier
 * verdict sc ok complete -- --strategy rf --detect=+barrier
 * verdict tso ok complete -- --strategy dfs --detect=+barrier
 * verdict rc11 ok complete -- --strategy graph --detect=+barrier
 * verdict -DONCE sc misuse noreorder -- --strategy graph --detect=+barrier
 * verdict -DONCE tso misuse noreorder -- --strategy dfs --detect=+barrier
 * verdict -DONCE rc11 misuse -- --strategy graph --detect=+barrier
 */
#include "../clean/two.h"

static pthread_barrier_t *barrier;
static atomic_int met;

static void *worker(void *arg)
{
	atomic_fetch_add(&met, 1);
	pthread_barrier_wait(barrier);
	assert(atomic_load(&met) % 2 == 0);
	return arg;
}

static void round_of_two(void)
{
#ifdef ONCE
	static pthread_barrier_t here;

	if (!barrier)
		pthread_barrier_init(&here, NULL, 2);
#else
	pthread_barrier_t here;

	pthread_barrier_init(&here, NULL, 2);
#endif
	barrier = &here;
	two(worker, NULL, worker, NULL);
#ifndef ONCE
	pthread_barrier_destroy(&here);
#endif
}

int main(void)
{
	round_of_two();
	round_of_two();
	puts("ok");
	return 0;
}
