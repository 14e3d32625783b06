/* SPDX-License-Identifier: ISC */
/* A wait for a signal that ends after a second. WRONG: the signal is expected to be in time.
 *
 * verdict rc11 ok complete -- --strategy graph --sleepers last
 * verdict tso ok complete -- --strategy graph --sleepers last
 * verdict sc ok -- --strategy dfs --sleepers last
 * verdict -DWRONG rc11 assertion -- --strategy graph --sleepers last
 * verdict -DWRONG sc assertion -- --strategy dfs --sleepers last
 */
#include "kernel.h"

static pthread_t waiting;

static void *post(void *arg)
{
	sleep(2);
	assert(!pthread_kill(waiting, SIGUSR1));
	return NULL;
}

int main(void)
{
	struct timespec second = {.tv_sec = 1};
	sigset_t usr1;
	pthread_t t;
	int late = 0;

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	waiting = pthread_self();
	t = start(post, NULL);
#ifdef WRONG
	assert(sigtimedwait(&usr1, NULL, &second) == SIGUSR1);
	(void)late;
#else
	while (sigtimedwait(&usr1, NULL, &second) != SIGUSR1) {
		assert(errno == EAGAIN);
		late++;
	}
	assert(late);
#endif
	join(t);
	return 0;
}
