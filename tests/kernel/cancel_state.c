/* SPDX-License-Identifier: ISC */
/* A thread that must not be cancelled between two updates. WRONG: it can be.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion -- --strategy dfs
 */
#include "kernel.h"
#include <semaphore.h>

static sem_t free_slots;
static int first, second;

static void *update(void *arg)
{
	int state;

#ifdef WRONG
	state = PTHREAD_CANCEL_ENABLE;
#else
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
#endif
	first++;
	sem_wait(&free_slots);
	second++;
	pthread_setcancelstate(state, NULL);
	pthread_testcancel();
	return NULL;
}

int main(void)
{
	pthread_t t;

	sem_init(&free_slots, 0, 0);
	t = start(update, NULL);
	pthread_cancel(t);
	sem_post(&free_slots);
	join(t);
	assert(first == second);
	return 0;
}
