/* SPDX-License-Identifier: ISC */
/* Objects that are only statically initialised, of every kind, also inside other objects. */
#define _GNU_SOURCE
#include "two.h"

static struct {
	char pad[3];
	pthread_mutex_t normal, adaptive, zero;
	pthread_cond_t cond;
	pthread_rwlock_t rwlock;
	pthread_once_t once;
} s = {
	.normal = PTHREAD_MUTEX_INITIALIZER,
	.adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP,
	.cond = PTHREAD_COND_INITIALIZER,
	.rwlock = PTHREAD_RWLOCK_INITIALIZER,
	.once = PTHREAD_ONCE_INIT,
};
static int a, b, c, started;

static void start(void)
{
	started++;
}

static void *worker(void *arg)
{
	pthread_once(&s.once, start);
	pthread_mutex_lock(&s.normal);
	a++;
	pthread_cond_signal(&s.cond);
	pthread_mutex_unlock(&s.normal);
	return arg;
}

static void alone(void)
{
	pthread_mutex_lock(&s.adaptive);
	b++;
	pthread_mutex_unlock(&s.adaptive);
	pthread_rwlock_wrlock(&s.rwlock);
	c++;
	pthread_rwlock_unlock(&s.rwlock);
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	alone();
	pthread_mutex_lock(&s.zero);
	pthread_mutex_unlock(&s.zero);
	assert(a == 2 && b == 1 && c == 1 && started == 1);
	puts("ok");
	return 0;
}
