/* SPDX-License-Identifier: ISC */
/*
 * An operation on a synchronisation object in a block that main has freed, or frees at the same
 * time. With RIGHT main joins the thread before.
 *
 * options --strategy graph
 * verdict rc11 heap
 * verdict ra heap
 * verdict sc heap
 * verdict pso heap
 * verdict tso heap -- --strategy rf
 * verdict tso heap -- --strategy dfs
 * verdict pso heap -- --strategy pct
 * verdict tso heap -- --strategy random --sleepers last
 * verdict -DRIGHT rc11 ok
 * verdict -DRIGHT tso ok complete -- --strategy dfs
 * verdict -DEARLY rc11 heap
 * verdict -DEARLY tso heap -- --strategy dfs
 * verdict -DDO=UNLOCK rc11 heap
 * verdict -DDO=UNLOCK tso heap -- --strategy dfs
 * verdict -DDO=TIMEDLOCK rc11 heap
 * verdict -DDO=TIMEDLOCK tso heap -- --strategy dfs
 * verdict -DDO=DESTROY rc11 heap
 * verdict -DDO=DESTROY tso heap -- --strategy dfs
 * verdict -DDO=INIT rc11 heap
 * verdict -DDO=INIT tso heap -- --strategy dfs
 * verdict -DDO=RDLOCK rc11 heap
 * verdict -DDO=RDLOCK tso heap -- --strategy dfs
 * verdict -DDO=TIMEDWRLOCK tso heap
 * verdict -DDO=SIGNAL rc11 heap
 * verdict -DDO=SIGNAL tso heap -- --strategy dfs
 * verdict -DDO=TIMEDWAIT rc11 heap
 * verdict -DDO=TIMEDWAIT tso heap -- --strategy dfs
 * verdict -DDO=POST rc11 heap
 * verdict -DDO=POST tso heap -- --strategy dfs
 * verdict -DDO=SEM_TIMEDWAIT rc11 heap
 * verdict -DDO=SEM_TIMEDWAIT tso heap -- --strategy dfs
 * verdict -DDO=BARRIER rc11 heap
 * verdict -DDO=BARRIER tso heap -- --strategy dfs
 * verdict -DDO=ONCE rc11 heap
 * verdict -DDO=ONCE tso heap -- --strategy dfs
 * verdict -DDO=SPIN rc11 heap
 * verdict -DDO=SPIN tso heap -- --strategy dfs
 * report rc11 "use after free: nothing orders the use of a block before its free: "
 * report rc11 "T1 locks object#1->mutex at" @do "main frees object#1 at" "object#1 was allocated by main at"
 * report -DDO=POST rc11 "T1 posts object#1->sem at"
 * report -DDO=BARRIER tso "use after free: arrive at barrier at offset "
 * report -DEARLY tso "use after free: lock at offset 0 of a block of " "object#1 was freed by main at"
 */
#include "../clean/two.h"

#include <semaphore.h>

enum { LOCK, UNLOCK, TIMEDLOCK, DESTROY, INIT, RDLOCK, TIMEDWRLOCK, SIGNAL, TIMEDWAIT, POST,
	SEM_TIMEDWAIT, BARRIER, ONCE, SPIN };

#ifndef DO
#define DO LOCK
#endif

struct object {
	pthread_mutex_t mutex;
	pthread_rwlock_t rwlock;
	pthread_cond_t cond;
	sem_t sem;
	pthread_barrier_t barrier;
	pthread_once_t once;
	pthread_spinlock_t spin;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec soon = {.tv_sec = 2000000000};

static void nothing(void)
{
}

static void wait_for_a_while(pthread_cond_t *c)
{
	pthread_mutex_lock(&m);
	pthread_cond_timedwait(c, &m, &soon);
	pthread_mutex_unlock(&m);
}

static void *user(void *arg)
{
	struct object *o = arg;

	switch (DO) {
	case LOCK: pthread_mutex_lock(&o->mutex); break; /* @do */
	case UNLOCK: pthread_mutex_unlock(&o->mutex); break;
	case TIMEDLOCK: pthread_mutex_timedlock(&o->mutex, &soon); break;
	case DESTROY: pthread_mutex_destroy(&o->mutex); break;
	case INIT: pthread_mutex_init(&o->mutex, NULL); break;
	case RDLOCK: pthread_rwlock_rdlock(&o->rwlock); break;
	case TIMEDWRLOCK: pthread_rwlock_timedwrlock(&o->rwlock, &soon); break;
	case SIGNAL: pthread_cond_signal(&o->cond); break;
	case TIMEDWAIT: wait_for_a_while(&o->cond); break;
	case POST: sem_post(&o->sem); break;
	case SEM_TIMEDWAIT: sem_timedwait(&o->sem, &soon); break;
	case BARRIER: pthread_barrier_wait(&o->barrier); break;
	case ONCE: pthread_once(&o->once, nothing); break;
	case SPIN: pthread_spin_lock(&o->spin); break;
	}
	return arg;
}

static struct object *new_object(void)
{
	static const pthread_once_t once = PTHREAD_ONCE_INIT;
	struct object *o = malloc(sizeof(*o));

	pthread_mutex_init(&o->mutex, NULL);
	pthread_rwlock_init(&o->rwlock, NULL);
	pthread_cond_init(&o->cond, NULL);
	sem_init(&o->sem, 0, 1);
	pthread_barrier_init(&o->barrier, NULL, 1);
	o->once = once;
	pthread_spin_init(&o->spin, PTHREAD_PROCESS_PRIVATE);
	return o;
}

int main(void)
{
	struct object *o = new_object();
	pthread_t t;

#ifdef EARLY
	free(o); /* @free */
	user(o);
	return 0;
#endif
	pthread_create(&t, NULL, user, o);
#ifdef RIGHT
	pthread_join(t, NULL);
#endif
	free(o); /* @free */
#ifndef RIGHT
	pthread_join(t, NULL);
#endif
	return 0;
}
