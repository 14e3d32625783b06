/* SPDX-License-Identifier: ISC */
/*
 * Takes a hand-made spinlock twice, before there is a second thread.
 *
 * verdict sc livelock noreorder -- --strategy dfs
 * verdict tso livelock -- --strategy random
 * verdict rc11 livelock noreorder -- --strategy graph
 * report rc11 "main spins for ever on lock" "main: spins until lock changes"
 */
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;

static void take(void)
{
	while (atomic_exchange(&lock, 1))
		;
}

static void *work(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t t;

	take();
	take();
	pthread_create(&t, NULL, work, NULL);
	return pthread_join(t, NULL);
}
