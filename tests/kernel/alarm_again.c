/* SPDX-License-Identifier: ISC */
/* A watchdog that is set for each job, and taken back after it. WRONG: the last one is not, and fires later.
 *
 * verdict rc11 ok complete -- --strategy graph --sleepers last
 * verdict tso ok complete -- --strategy graph --sleepers last
 * verdict sc ok -- --strategy dfs --sleepers last
 * verdict -DWRONG rc11 assertion -- --strategy graph --sleepers last
 * verdict -DWRONG sc assertion -- --strategy dfs --sleepers last
 */
#include "kernel.h"

static volatile sig_atomic_t barked;

static void on_alarm(int sig)
{
	barked = 1;
}

static void *job(void *arg)
{
	sleep(3);
	return NULL;
}

int main(void)
{
	struct sigaction a = {.sa_handler = on_alarm};

	assert(!sigaction(SIGALRM, &a, NULL));
	for (int i = 0; i < 3; i++) {
		assert(alarm(30) == 0);
		join(start(job, NULL));
		assert(alarm(60) == 27);
#ifdef WRONG
		if (i < 2)
#endif
			assert(alarm(0) == 60);
	}
	sleep(100);
	assert(!barked);
	return 0;
}
