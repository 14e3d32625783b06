/* SPDX-License-Identifier: ISC */
/* options: --strategy random --executions 2000 --time 10 --detect=+threads; graph: sc tso rc11 */
/* Every thread is joined, detached by its creator, by itself or by its attributes; also by another
 * thread. */
#include "../clean/two.h"

static pthread_t other;

static void *worker(void *arg)
{
	return arg;
}

static void *detaches(void *arg)
{
	pthread_detach(pthread_self());
	return arg;
}

static void *joins(void *arg)
{
	pthread_join(other, NULL);
	return arg;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t t, u;

	pthread_create(&other, NULL, worker, NULL);
	pthread_create(&u, NULL, joins, NULL);
	pthread_create(&t, NULL, worker, NULL);
	pthread_detach(t);
	pthread_create(&t, NULL, detaches, NULL);
	pthread_join(u, NULL);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_create(&t, &attr, worker, NULL);
	pthread_attr_destroy(&attr);
	sched_yield();
	return 0;
}
