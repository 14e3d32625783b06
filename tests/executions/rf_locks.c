/* SPDX-License-Identifier: ISC */
/* Programs with a mutex, of the measurements of "The Reads-From Equivalence for the TSO and PSO
 * Memory Models" (OOPSLA 2021, tables 2, 4 and 5). The order of the lock's holders is part of
 * reads-from, so there are as many reads-from functions as execution graphs. The closed forms fit
 * the paper's counts.
 *
 *     INC       N threads: lock; x = x + 1; unlock; read x                 (N!)^2
 *     BUFFER    a producer and a consumer, N rounds each, of one slot      C(2N, N)
 *     POINTER   a thread reads x N times, N threads lock and write x       (2N)! / N!
 *     SEQLOCK   a thread reads x twice, N threads lock and write x         (N+2)! / 2: the paper
 *               has only the count
 *     VARIANT   a thread reads x, N threads lock: x = x + 1                (N+1)!
 *     STACK     N times push and N times pop, locked                       C(2N, N)
 *     RESERVE   N threads reserve slots under a lock, then write to them   N!
 *     DISPATCH  N servers with a lock each; main picks one of them N times, by what another thread
 *               writes
 *     WORKERS   N producers, N workers with a lock each; the worker that a producer serves depends
 *               on earlier producers
 *
 * counts-rf -DINC -DN=2 pso 4
 * counts-rf -DINC -DN=3 sc,tso,pso 36
 * counts-rf -DINC -DN=4 sc,tso,pso 576
 * counts -DINC -DN=3 tso 36
 * counts-rf -DBUFFER -DN=2 pso 6
 * counts-rf -DBUFFER -DN=5 sc,tso,pso 252
 * counts -DBUFFER -DN=5 tso 252
 * counts-rf -DPOINTER -DN=2 pso 12
 * counts-rf -DPOINTER -DN=4 sc,tso,pso 1680
 * counts -DPOINTER -DN=3 tso 120
 * counts-rf -DSEQLOCK -DN=4 sc,pso 360
 * counts-rf -DVARIANT -DN=4 sc,pso 120
 * counts-rf -DSTACK -DN=4 sc,pso 70
 * counts-rf -DRESERVE -DN=4 sc,pso 24
 * counts-rf -DDISPATCH -DN=3 sc,pso 398
 * counts-rf -DWORKERS -DN=3 sc,pso 162
 * counts-rf-bench -DSEQLOCK -DN=7 sc,tso,pso 181440
 * counts-rf-bench -DDISPATCH -DN=4 sc,tso,pso 6854
 * counts-rf-bench -DWORKERS -DN=4 sc,tso,pso 1944
 * counts-rf-bench -DINC -DN=5 sc,tso,pso 14400
 * counts-rf-bench -DBUFFER -DN=8 sc,tso,pso 12870
 * counts-rf-bench -DPOINTER -DN=5 sc,tso,pso 30240
 */
#include "counts.h"

#ifndef N
#define N 3
#endif

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t own[N];
atomic_int x, full, slot[4 * N], done[N];

#if defined(INC)
THREAD(work)
{
	pthread_mutex_lock(&mutex);
	store(&x, load(&x, RLX) + 1, RLX);
	pthread_mutex_unlock(&mutex);
	return (void *)(long)load(&x, RLX);
}
#elif defined(BUFFER)
THREAD(work)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&mutex);
		if (load(&full, RLX) == INDEX)
			store(&full, !INDEX, RLX);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}
#elif defined(STACK)
THREAD(work)
{
	for (int i = 0; i < N; i++) {
		int top;

		pthread_mutex_lock(&mutex);
		top = load(&x, RLX);
		if (!INDEX) {
			store(&slot[top], i, RLX);
			store(&x, top + 1, RLX);
		} else if (top) {
			store(&x, top - 1, RLX);
			(void)load(&slot[top - 1], RLX);
		}
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}
#elif defined(RESERVE)
THREAD(work)
{
	int first;

	pthread_mutex_lock(&mutex);
	first = load(&x, RLX);
	store(&x, first + 4, RLX);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 4; i++)
		store(&slot[first + i], 0, RLX);
	return NULL;
}
#elif defined(DISPATCH)
THREAD(pick)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&mutex);
		store(&x, i, RLX);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

THREAD(work)
{
	int me = INDEX;

	pthread_mutex_lock(&own[me]);
	if (load(&slot[me], RLX) > 0)
		store(&done[me], load(&slot[me], RLX), RLX);
	pthread_mutex_unlock(&own[me]);
	return NULL;
}

static void request(void)
{
	pthread_t picks;
	int to;

	pthread_create(&picks, NULL, pick, NULL);
	pthread_mutex_lock(&mutex);
	to = load(&x, RLX);
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&own[to]);
	store(&slot[to], load(&slot[to], RLX) + 1, RLX);
	pthread_mutex_unlock(&own[to]);
	pthread_join(picks, NULL);
}
#elif defined(WORKERS)
THREAD(work)
{
	int me = INDEX;

	for (int i = 0; i < 2; i++) {
		bool some;

		pthread_mutex_lock(&own[me]);
		some = load(&slot[me], RLX);
		if (some)
			store(&slot[me], load(&slot[me], RLX) - 1, RLX);
		pthread_mutex_unlock(&own[me]);
		if (some)
			store(&done[me], load(&done[me], RLX) + 1, RLX);
	}
	return NULL;
}

THREAD(produce)
{
	int to;

	pthread_mutex_lock(&mutex);
	store(&x, load(&x, RLX) * N + INDEX, RLX);
	to = load(&x, RLX) % N;
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&own[to]);
	store(&slot[to], load(&slot[to], RLX) + 1, RLX);
	pthread_mutex_unlock(&own[to]);
	return NULL;
}
#else
THREAD(work)
{
	pthread_mutex_lock(&mutex);
#ifdef VARIANT
	store(&x, load(&x, RLX) + 1, RLX);
#else
	store(&x, INDEX + 1, RLX);
#endif
	pthread_mutex_unlock(&mutex);
	return NULL;
}

#if defined(SEQLOCK)
#define LOOKS 2
#elif defined(VARIANT)
#define LOOKS 1
#else
#define LOOKS N
#endif

THREAD(look)
{
	int sum = 0;

	for (int i = 0; i < LOOKS; i++)
		sum = sum * 5 + load(&x, RLX);
	return (void *)(long)sum;
}
#endif

int main(void)
{
#ifdef PEER /* Nidhugg knows no PTHREAD_MUTEX_INITIALIZER */
	pthread_mutex_init(&mutex, NULL);
#endif
#if defined(BUFFER) || defined(STACK)
	start_many(work, 2);
#else
	for (int i = 0; i < N; i++)
		pthread_mutex_init(&own[i], NULL);
	start_many(work, N);
#endif
#if defined(POINTER) || defined(SEQLOCK) || defined(VARIANT)
	start(look, 0);
#elif defined(WORKERS)
	start_many(produce, N);
#elif defined(DISPATCH)
	for (int i = 0; i < N; i++)
		request();
#endif
	join_all(NULL);
	return 0;
}
