/* SPDX-License-Identifier: ISC */
/* A thread that is cancelled while it has a lock. WRONG: no cleanup handler gives it back.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG pso deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock -- --strategy dfs
 * verdict -DWRONG tso deadlock -- --strategy random
 * report -DWRONG rc11 "main waits for ever to lock mutex" "which T1, cancelled, holds" "is cancelled" "cancel thread T1"
 */
#include "kernel.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void *arg)
{
	pthread_mutex_unlock(arg);
}

static void *work(void *arg)
{
	pthread_mutex_lock(&mutex);
#ifdef WRONG
	pthread_testcancel();
	pthread_mutex_unlock(&mutex);
#else
	pthread_cleanup_push(unlock, &mutex);
	pthread_testcancel();
	pthread_cleanup_pop(1);
#endif
	return NULL;
}

int main(void)
{
	pthread_t t = start(work, NULL);

	pthread_cancel(t);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	join(t);
	return 0;
}
