/* SPDX-License-Identifier: ISC */
/* jobs.c - failures and races in different parts of the search: each process finds others first.
 *
 * -DLOCK: the threads only lock: for --strategy traces. -DRACE: two races; -DSEVERAL: three assertions that fail;
 * -DTWINS: the threads do the same, and nothing fails. -DRARE: few executions have another
 * thread, and share a and b. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 7
#endif

#ifdef TWINS
#define TWIN 1
#else
#define TWIN 0
#endif

static atomic_int x;
static int order[N];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#if defined RACE || defined RARE
static int a, b;
#endif

#ifdef RARE
static void *last(void *arg)
{
	b++;
	return arg;
}
#endif

static void *add(void *arg)
{
	long i = (long)arg;

	(void)lock;
#ifdef LOCK
	pthread_mutex_lock(&lock);
	order[i] = x++;
	pthread_mutex_unlock(&lock);
#elif defined TWINS
	atomic_fetch_add(&x, 1);
	arg = NULL;
#else
	order[i] = atomic_fetch_add(&x, 1);
#endif
#ifdef RACE
	if (i == 4 && order[i] == 4)
		a++;
	if (i == 5 && order[i] == 5)
		a++;
	if (i == 3 && order[i] == 6)
		b++;
	if (i == 2 && order[i] == 5)
		b++;
#elif defined RARE
	if ((i == 4 && order[i] == 4) || (i == 5 && order[i] == 1))
		a++;
	if (i == 1 && order[i] == 6) {
		pthread_t t;

		pthread_create(&t, NULL, last, NULL);
		b++;
		pthread_join(t, NULL);
	}
#endif
	return arg;
}

#ifdef SEVERAL
static __attribute__((noinline)) void known(void)
{
	assert(!(order[0] == 6 && order[1] == 3 && order[2] == 1 && order[3] == 2));
}
#endif

int main(void)
{
	pthread_t t[N];

	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, add, (void *)(TWIN ? 0 : i));
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
#if !defined RACE && !defined RARE && !defined TWINS
	assert(!(order[0] == N - 1 && order[1] == 0 && order[2] == 1 && order[3] == 2));
#endif
#ifdef SEVERAL
	known();
	assert(!(order[0] == 5 && order[3] == 0 && order[2] == 4));
#endif
}
