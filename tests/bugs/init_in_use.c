/* SPDX-License-Identifier: ISC */
/* Objects that are initialised again while they are in use.
 * verdict -DMUTEX sc misuse noreorder
 * verdict -DMUTEX rc11 misuse
 * report -DMUTEX sc "initialisation of a mutex that T1 has locked"
 * verdict -DMUTEX tso misuse -- --strategy random
 * verdict -DOWN rc11 misuse
 * verdict -DOWN tso misuse -- --strategy random
 * verdict -DSPIN sc misuse noreorder
 * verdict -DRWLOCK rc11 misuse
 * report -DRWLOCK rc11 "initialisation of a read-write lock that T1 has locked"
 * verdict -DRWLOCK tso misuse -- --strategy random
 * verdict -DCOND rc11 misuse
 * verdict -DCOND tso misuse
 * verdict -DRWLOCK sc misuse
 * report -DCOND rc11 "initialisation of a condition that a thread waits on"
 * verdict -DCOND tso misuse -- --strategy dfs
 * verdict -DBARRIER sc misuse -- --strategy random
 * verdict -DBARRIER tso misuse -- --strategy dfs
 * verdict -DBARRIER sc race
 * verdict -DBARRIER tso race
 * verdict -DBARRIER pso race
 * verdict -DBARRIER ra race
 * verdict -DBARRIER rc11 race
 * verdict -DBARRIER sc misuse -- --races promote
 * verdict -DBARRIER tso misuse -- --races promote
 * verdict -DBARRIER pso misuse -- --races promote
 * verdict -DBARRIER ra misuse -- --races promote
 * verdict -DBARRIER rc11 misuse -- --races promote
 * verdict -DSEM sc misuse -- --strategy random
 * verdict -DSEM tso misuse -- --strategy dfs
 * verdict -DSEM pso misuse -- --strategy pct
 * verdict -DSEM sc misuse
 * verdict -DSEM tso misuse
 * verdict -DSEM pso misuse
 * verdict -DSEM ra misuse
 * verdict -DSEM rc11 misuse
 * verdict -DSEM sc misuse -- --strategy rf
 * verdict -DSEM rc11 misuse -- --strategy random
 * report -DSEM tso "initialisation of a semaphore that T1 waits for"
 * report -DSEM rc11 "initialisation of a semaphore that a thread waits for"
 * verdict -DSEM -DORDERED sc ok complete -- --strategy graph
 * verdict -DSEM -DORDERED rc11 ok complete -- --strategy graph
 * verdict -DDESTROY sc misuse -- --strategy random
 * verdict -DENDED rc11 race
 * verdict -DENDED ra race -- --strategy random
 * verdict -DENDED rc11 misuse -- --races promote
 * verdict -DENDED tso misuse -- --races promote
 * report -DENDED sc "destruction of a barrier that a thread waits at"
 * verdict -DENDED sc misuse -- --strategy dfs
 * options --strategy graph
 */
#include <semaphore.h>
#include "../clean/two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t sem;
static atomic_int step;

static void *user(void *arg)
{
#if defined(MUTEX) || defined(SPIN) || defined(RWLOCK)
	pthread_mutex_lock(&m);
	pthread_spin_lock(&spin);
	pthread_rwlock_rdlock(&rw);
	step = 1;
	while (step != 2)
		;
#elif defined(COND)
	pthread_mutex_lock(&lock);
	step = 1;
	pthread_cond_wait(&c, &lock);
	pthread_mutex_unlock(&lock);
#elif defined(BARRIER)
	step = 1;
	pthread_barrier_wait(&barrier);
#elif defined(ENDED)
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier); /* main may be faster */
#elif defined(ORDERED)
	while (step != 2) /* it waits only for the second semaphore */
		;
	sem_wait(&sem);
#elif defined(SEM) || defined(DESTROY)
	step = 1;
	sem_wait(&sem);
#endif
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_spin_init(&spin, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&sem, 0, 0);
	pthread_create(&t, NULL, user, NULL);
#if !defined(OWN) && !defined(ORDERED) && !defined(ENDED)
	while (step != 1)
		;
#endif
#if defined(MUTEX)
	pthread_mutex_init(&m, NULL);
#elif defined(OWN)
	pthread_mutex_lock(&m);
	pthread_mutex_init(&m, NULL);
#elif defined(SPIN)
	pthread_spin_init(&spin, 0);
#elif defined(RWLOCK)
	pthread_rwlock_init(&rw, NULL);
#elif defined(COND)
	pthread_mutex_lock(&lock);
	pthread_cond_init(&c, NULL);
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&lock);
#elif defined(BARRIER)
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_barrier_wait(&barrier);
#elif defined(ENDED)
	pthread_barrier_wait(&barrier);
	pthread_barrier_destroy(&barrier);
#elif defined(SEM)
	sem_init(&sem, 0, 1);
#elif defined(DESTROY)
	sem_destroy(&sem);
#endif
	step = 2;
	pthread_join(t, NULL);
	return 0;
}
