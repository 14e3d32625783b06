/* SPDX-License-Identifier: ISC */
/* A handler that sets a flag, on which the thread prints. WRONG: the handler prints, and may interrupt printf().
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 signal -- --strategy graph
 * verdict -DWRONG sc signal -- --strategy dfs
 */
#include "kernel.h"

static volatile sig_atomic_t asked;

static void on_usr1(int sig)
{
#ifdef WRONG
	puts("asked");
#else
	asked = 1;
#endif
}

static void *work(void *arg)
{
	for (int i = 0; i < 2; i++) {
		printf("%d\n", i);
		if (asked)
			puts("asked");
		asked = 0;
	}
	return NULL;
}

int main(void)
{
	struct sigaction a = {.sa_handler = on_usr1};
	pthread_t t;

	assert(!sigaction(SIGUSR1, &a, NULL));
	t = start(work, NULL);
	pthread_kill(t, SIGUSR1);
	join(t);
	return 0;
}
