/* SPDX-License-Identifier: ISC */
/*
 * A thread takes a lock and releases it, with no other access, until stopped by another thread,
 * which stores to the lock without holding it. That store can be lost: the iteration matters,
 * though no thread reads its writes.
 *
 * verdict sc assertion -- --strategy graph
 * verdict rc11 assertion -- --strategy graph
 * verdict rc11 assertion -- --strategy pctwm
 * verdict rc11 assertion -- --strategy graph --equivalence rf
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock, stop;

static void *poll(void *arg)
{
	int unlocked = 0;

	while (!atomic_load(&stop)) {
		if (atomic_compare_exchange_strong(&lock, &unlocked, 1))
			atomic_store(&lock, 0);
		unlocked = 0;
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, poll, NULL);
	atomic_store(&lock, 5);
	atomic_store(&stop, 1);
	pthread_join(t, NULL);
	assert(atomic_load(&lock) == 5);
	return 0;
}
