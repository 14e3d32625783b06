/* SPDX-License-Identifier: ISC */
/* graph: sc tso rc11; random: sc tso; */
/* A condition may be destroyed when its waiters have been woken, though they have not run yet. */
#include "two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, open;

static void *waiter(void *arg)
{
	pthread_mutex_lock(&m);
	waiting++;
	while (!open)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, waiter, NULL);
	pthread_create(&b, NULL, waiter, NULL);
	pthread_mutex_lock(&m);
	open = 1;
	pthread_cond_broadcast(&c);
	if (waiting == 2)
		pthread_cond_destroy(&c);
	pthread_mutex_unlock(&m);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts("ok");
	return 0;
}
