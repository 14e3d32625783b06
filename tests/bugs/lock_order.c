/* SPDX-License-Identifier: ISC */
/* finding: lock-order; models: sc tso pso ra rc11; options: --detect=+lock-order; reorder: no */
/* graph: rc11 sc; dfs: tso */
/*
 * Two mutexes, taken in opposite orders, by threads that a flag happens to keep apart: no execution
 * is a deadlock, as long as the flag stays.
 *
 * report sc "T1 locks b while it holds a, T2 locks a while it holds b" "taken at step"
 */
#include "../clean/two.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool done;

static void *ab(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	atomic_store(&done, true);
	return arg;
}

static void *ba(void *arg)
{
	if (!atomic_load(&done))
		return arg;
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	two(ab, NULL, ba, NULL);
	return 0;
}
