/* SPDX-License-Identifier: ISC */
/* A signal is delivered before one of the N operations of its target, or not at all.
 *
 * counts -DN=1 sc,tso,pso,ra,rc11 2
 * counts -DN=3 sc,tso,pso,ra,rc11 4
 * counts -DN=6 sc,rc11 7
 */
#include "counts.h"

#include <signal.h>

atomic_int x;

static void on_usr1(int sig)
{
}

THREAD(target)
{
	for (int i = 0; i < N; i++)
		load(&x, RLX);
	return NULL;
}

int main(void)
{
	struct sigaction a = {.sa_handler = on_usr1};

	sigaction(SIGUSR1, &a, NULL);
	start(target, 0);
	pthread_kill(counts_id[0], SIGUSR1);
	join_all(NULL);
	return 0;
}
