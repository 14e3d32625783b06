/* SPDX-License-Identifier: ISC */
/* A wait that a handler interrupts. WRONG: its result is ignored.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DRESTART rc11 ok complete -- --strategy graph
 * verdict -DRESTART sc ok -- --strategy dfs
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion -- --strategy dfs
 * verdict -DWRONG tso assertion -- --strategy random
 * report -DWRONG rc11 "returns from the handler of SIGUSR1"
 */
#include "kernel.h"

#include <semaphore.h>

static sem_t filled;
static atomic_int item;

static void on_usr1(int sig)
{
}

static void *take(void *arg)
{
#if defined WRONG || defined RESTART
	sem_wait(&filled);
#else
	while (sem_wait(&filled) && errno == EINTR)
		;
#endif
	assert(atomic_load(&item));
	return NULL;
}

int main(void)
{
	struct sigaction a = {.sa_handler = on_usr1};
	pthread_t t;

#ifdef RESTART
	a.sa_flags = SA_RESTART;
#endif
	sem_init(&filled, 0, 0);
	assert(!sigaction(SIGUSR1, &a, NULL));
	t = start(take, NULL);
	pthread_kill(t, SIGUSR1);
	atomic_store(&item, 1);
	sem_post(&filled);
	join(t);
	return 0;
}
