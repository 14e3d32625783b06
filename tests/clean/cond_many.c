/* SPDX-License-Identifier: ISC */
/* graph: none; random: sc tso; */
/* More threads wait for a condition than have room in 64 bits; all are woken, and the condition is
 * destroyed before they have noticed. */
#include "two.h"

#define WAITERS 16

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, passed, open;

static void *waiter(void *arg)
{
	pthread_mutex_lock(&m);
	waiting++;
	while (!open)
		pthread_cond_wait(&c, &m);
	passed++;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t[WAITERS];
	bool all = false;

	for (int i = 0; i < WAITERS; i++)
		pthread_create(&t[i], NULL, waiter, NULL);
	pthread_mutex_lock(&m);
	open = 1;
	all = waiting == WAITERS;
	pthread_cond_broadcast(&c);
	if (all)
		pthread_cond_destroy(&c);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < WAITERS; i++)
		pthread_join(t[i], NULL);
	assert(passed == WAITERS);
	puts("ok");
	return 0;
}
