/* SPDX-License-Identifier: ISC */
/* finding: misuse; models: sc tso rc11; options: --strategy graph */
/* dfs: tso */
/*
 * Two waiters, one condition, and each has a mutex of its own, far from the other.
 *
 * report rc11 "wait on a condition with another mutex than the threads that already wait on it"
 */
#include "../clean/two.h"

/* 255 words apart: their distances to the condition are the same in 8 bits. */
static union {
	pthread_mutex_t m;
	char size[255 * 8];
} mutex[2] = {{PTHREAD_MUTEX_INITIALIZER}, {PTHREAD_MUTEX_INITIALIZER}};
static pthread_mutex_t *const a = &mutex[0].m, *const b = &mutex[1].m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_bool ready;

static void *waiter(void *mutex)
{
	pthread_mutex_lock(mutex);
	while (!ready)
		pthread_cond_wait(&c, mutex);
	pthread_mutex_unlock(mutex);
	return NULL;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, waiter, a);
	pthread_create(&u, NULL, waiter, b);
	pthread_mutex_lock(a);
	pthread_mutex_lock(b);
	ready = true;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(b);
	pthread_mutex_unlock(a);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
