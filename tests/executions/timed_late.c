/* SPDX-License-Identifier: ISC */
/*
 * Attempts to lock that have run out of time before they begin are attempts: as with trylock, each
 * of two threads may find the lock free or taken. In either order both succeed; or one fails while
 * the other has it.
 *
 * counts -DMUTEX sc,tso,pso,ra,rc11 4
 * counts -DRWLOCK sc,rc11 4
 * counts -DSEM sc,rc11 4
 * counts -DC11 sc,rc11 4
 */
#include "counts.h"

#include <semaphore.h>
#include <threads.h>
#include <time.h>

static const struct timespec past;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
sem_t sem;
mtx_t mtx;

THREAD(attempt)
{
#if defined(MUTEX)
	if (!pthread_mutex_timedlock(&mutex, &past))
		pthread_mutex_unlock(&mutex);
#elif defined(RWLOCK)
	if (!pthread_rwlock_timedwrlock(&rwlock, &past))
		pthread_rwlock_unlock(&rwlock);
#elif defined(SEM)
	if (!sem_timedwait(&sem, &past))
		sem_post(&sem);
#else
	if (mtx_timedlock(&mtx, &past) == thrd_success)
		mtx_unlock(&mtx);
#endif
	return NULL;
}

int main(void)
{
	sem_init(&sem, 0, 1);
	mtx_init(&mtx, mtx_timed);
	start_many(attempt, 2);
	join_all(NULL);
	return 0;
}
