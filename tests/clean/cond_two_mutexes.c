/* SPDX-License-Identifier: ISC */
/* graph: sc tso rc11 */
/* One condition with two mutexes, one after the other: never used for waits with both at a time. */
#include "../clean/two.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int stage;

static void *waiter(void *arg)
{
	pthread_mutex_lock(&a);
	while (stage < 1)
		pthread_cond_wait(&c, &a);
	stage = 2;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *last(void *arg)
{
	pthread_mutex_lock(&b);
	while (stage < 3)
		pthread_cond_wait(&c, &b);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, waiter, NULL);
	pthread_mutex_lock(&a);
	stage = 1;
	pthread_cond_signal(&c);
	while (stage < 2)
		pthread_cond_wait(&c, &a);
	pthread_mutex_unlock(&a);
	pthread_join(t, NULL);
	pthread_create(&t, NULL, last, NULL);
	pthread_mutex_lock(&b);
	stage = 3;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&b);
	pthread_join(t, NULL);
	return 0;
}
