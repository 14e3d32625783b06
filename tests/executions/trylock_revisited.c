/* SPDX-License-Identifier: ISC */
/* One thread reads x and locks, one tries the lock, one locks and then stores x. If x is 0, both
 * locks have two orders, in each of which the attempt succeeds at one of 3 moments or reads one of
 * two locked states: 10. If x is 1, the order is known: 5. Only a graph in which the first thread
 * had to wait for the lock, and the attempt comes after that, leads to some of these.
 * -DRW: a thread tries to write and then adds to x, one reads x and read-locks, one tries to write.
 *
 * counts sc,tso,pso,ra,rc11 15
 * counts-rf sc,tso,pso,rc11 15
 * counts -DRW sc,rc11 21
 */
#include "counts.h"

atomic_int x;

#ifdef RW
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

THREAD(reads)
{
	int r = load(&x, RLX);

	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	return (void *)(long)r;
}

THREAD(tries)
{
	if (!pthread_rwlock_trywrlock(&lock))
		pthread_rwlock_unlock(&lock);
	return NULL;
}

THREAD(stores)
{
	tries(NULL);
	add(&x, 1, RLX);
	return NULL;
}
#else
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

THREAD(reads)
{
	int r = load(&x, RLX);

	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return (void *)(long)r;
}

THREAD(tries)
{
	if (!pthread_mutex_trylock(&lock))
		pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(stores)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	store(&x, 1, RLX);
	return NULL;
}
#endif

int main(void)
{
	start(reads, 0);
	start(tries, 0);
	start(stores, 0);
	join_all(NULL);
	return 0;
}
