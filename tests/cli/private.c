/* SPDX-License-Identifier: ISC */
/* Programs for t_private.sh: plain data, ordered by a lock and by a flag, or racing (RACE). There the reader sees the
 * data of the writer in every execution of tso, not of pso. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define N 2000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static int *data, ready;

static void *writer(void *arg)
{
#ifdef RACE
	data[0] = 7;
	ready = 1;
#endif
	for (int round = 0; round < 3; round++) {
		pthread_mutex_lock(&lock);
		for (int i = 0; i < N; i++)
			data[i]++;
		pthread_mutex_unlock(&lock);
	}
	atomic_store_explicit(&flag, 1, memory_order_release);
	return arg;
}

static void *reader(void *arg)
{
#ifdef RACE
	if (ready)
		assert(data[0] >= 7);
#else
	if (atomic_load_explicit(&flag, memory_order_acquire))
		assert(data[0] == 3 && data[N - 1] == 3);
#endif
	pthread_mutex_lock(&lock);
	for (int i = 1; i < N; i++)
		assert(data[i] == data[1]);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	data = calloc(N, sizeof *data);
	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(data);
	return ready - ready;
}
