/* SPDX-License-Identifier: ISC */
/* A watcher looks under a lock whether a thread has ended, and is cancelled: pthread_tryjoin_np() is no cancellation
 * point. WRONG: it waits there by pthread_join(), and is cancelled with the lock.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict sc ok -- --strategy random
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock -- --strategy dfs
 */
#include "kernel.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t worker;
static int joined;

static void *work(void *arg)
{
	return arg;
}

static void *watch(void *arg)
{
	pthread_mutex_lock(&mutex);
#ifdef WRONG
	joined = !pthread_join(worker, NULL);
#else
	joined = !pthread_tryjoin_np(worker, NULL);
#endif
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t watcher;

	worker = start(work, NULL);
	watcher = start(watch, NULL);
	pthread_cancel(watcher);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	join(watcher);
	if (!joined)
		join(worker);
	return 0;
}
