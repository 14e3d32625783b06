/* SPDX-License-Identifier: ISC */
/* finding: deadlock; models: sc tso pso; reorder: no */
/* graph: rc11 sc; dfs: tso */
/*
 * Two mutexes, taken in opposite orders.
 *
 * report sc "waits to lock b, which T2 holds; taken at step" "waits to lock a, which T1 holds; taken at step" "T1 waits here"
 * report sc @ab "T2 at step"
 */
#include "../clean/two.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *ab(void *arg)
{
	pthread_mutex_lock(&a); /* @ab */
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *ba(void *arg)
{
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
