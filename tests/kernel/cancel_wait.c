/* SPDX-License-Identifier: ISC */
/* A condition wait that is cancelled locks the mutex again, before the handlers run. WRONG: the handler
 * does not unlock it.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock -- --strategy dfs
 * verdict -DWRONG tso deadlock -- --strategy pct
 * report -DWRONG rc11 ", cancelled, holds"
 */
#include "kernel.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items, waiting;

static void gives_up(void *arg)
{
	waiting--; /* under the mutex */
#ifndef WRONG
	pthread_mutex_unlock(&mutex);
#endif
}

static void *take(void *arg)
{
	pthread_mutex_lock(&mutex);
	waiting++;
	pthread_cleanup_push(gives_up, NULL);
	while (!items)
		pthread_cond_wait(&filled, &mutex);
	pthread_cleanup_pop(0);
	waiting--;
	items--;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t t = start(take, NULL);
	void *result;

	pthread_cancel(t);
	pthread_mutex_lock(&mutex);
	items++;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&mutex);
	assert(!pthread_join(t, &result));
	assert(!waiting && items == (result == PTHREAD_CANCELED));
	return 0;
}
