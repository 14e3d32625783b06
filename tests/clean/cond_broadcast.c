/* SPDX-License-Identifier: ISC */
/* A broadcast wakes all waiters: two of them pass one gate. */
#include "two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static bool open;
static int passed;

static void *waiter(void *arg)
{
	pthread_mutex_lock(&m);
	while (!open)
		pthread_cond_wait(&c, &m);
	passed++;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, waiter, NULL);
	pthread_create(&b, NULL, waiter, NULL);
	pthread_mutex_lock(&m);
	open = true;
	pthread_mutex_unlock(&m);
	pthread_cond_broadcast(&c);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(passed == 2);
	pthread_cond_destroy(&c);
	puts("ok");
	return 0;
}
