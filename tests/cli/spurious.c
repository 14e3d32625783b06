/* SPDX-License-Identifier: ISC */
/* spurious.c - programs that do not repeat what may fail or end spuriously: a weak compare-and-exchange,
 * COND: a condition's wait, FUTEX: that of a futex. */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int x;
static int ready;

static void *run(void *arg)
{
	int expected = 0;

#if defined COND
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
#elif defined FUTEX
	x = 1;
	syscall(SYS_futex, &x, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#else
	ready = atomic_compare_exchange_weak(&x, &expected, 1);
#endif
	(void)expected;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_mutex_lock(&lock);
	pthread_create(&t, NULL, run, NULL);
#if defined COND
	pthread_cond_wait(&cond, &lock);
	assert(ready);
#elif defined FUTEX
	if (!x)
		syscall(SYS_futex, &x, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	assert(x);
#endif
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
#if !defined COND && !defined FUTEX
	assert(ready);
#endif
	return 0;
}
