/* SPDX-License-Identifier: ISC */
/* A lost wake-up: whether to wait is decided before the mutex is taken, and the signal is given
 * without it. Either it is seen that there is no need to wait, or the wait is before the signal:
 * 2 executions end. When the signal comes in between, the thread waits for ever. C11's functions
 * are the same.
 *
 * counts sc,tso,pso,ra,rc11 2 deadlock
 */
#include "counts.h"

#include <threads.h>

mtx_t mutex;
cnd_t cond;
atomic_int set;

THREAD(waiter)
{
	if (load(&set, SC))
		return NULL;
	mtx_lock(&mutex);
	cnd_wait(&cond, &mutex);
	mtx_unlock(&mutex);
	return NULL;
}

THREAD(setter)
{
	store(&set, 1, SC);
	cnd_signal(&cond);
	return NULL;
}

int main(void)
{
	mtx_init(&mutex, mtx_plain);
	cnd_init(&cond);
	start(waiter, 0);
	start(setter, 0);
	join_all(NULL);
	return 0;
}
