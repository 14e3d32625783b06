/* SPDX-License-Identifier: ISC */
/* Threads with one function. -DOPENS: the first one sets a flag, which main reads after a join. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 3
#endif

atomic_int tickets, open_;

static void *take(void *unused)
{
	int ticket = atomic_fetch_add(&tickets, 1);

	(void)unused;
	if (!ticket)
		atomic_store(&open_, 1);
	return 0;
}

int main(void)
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], 0, take, 0);
#ifdef OPENS
	pthread_join(t[0], 0);
	assert(open_); /* not if another one was the first */
	for (int i = 1; i < THREADS; i++)
		pthread_join(t[i], 0);
#else
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], 0);
	assert(open_);
#endif
	return 0;
}
