/* SPDX-License-Identifier: ISC */
/* A loop waits for a descriptor or a signal, which is blocked except while it waits: ppoll(); -DSELECT: pselect()
 * without descriptors; -DEPOLL. WRONG: it is unblocked before, and may come between the check and the wait.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete -- --strategy dfs
 * verdict -DSELECT rc11 ok complete -- --strategy graph
 * verdict -DSELECT tso ok complete -- --strategy dfs
 * verdict -DEPOLL rc11 ok complete -- --strategy graph
 * verdict -DEPOLL sc ok complete -- --strategy dfs
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock -- --strategy dfs
 * verdict -DWRONG -DSELECT rc11 deadlock -- --strategy graph
 * verdict -DWRONG -DEPOLL rc11 deadlock -- --strategy graph
 * verdict -DWRONG -DEPOLL sc deadlock -- --strategy dfs
 */
#include "kernel.h"

static volatile sig_atomic_t came;
static int event, epoll;

static void on_usr1(int sig)
{
	came = 1;
}

/* Wait with this mask; NULL: the present one. */
static int wait_with(const sigset_t *mask)
{
#if defined(SELECT)
	return pselect(0, NULL, NULL, NULL, NULL, mask);
#elif defined(EPOLL)
	struct epoll_event found;

	return epoll_pwait(epoll, &found, 1, -1, mask);
#else
	struct pollfd p = {.fd = event, .events = POLLIN};

	return ppoll(&p, 1, NULL, mask);
#endif
}

static void *loop(void *arg)
{
	sigset_t *before = arg;

#ifdef WRONG
	pthread_sigmask(SIG_SETMASK, before, NULL);
	before = NULL;
#endif
	while (!came) {
		assert(wait_with(before) == -1 && errno == EINTR);
		assert(came);
	}
	return NULL;
}

int main(void)
{
	struct epoll_event in = {.events = EPOLLIN};
	sigset_t usr1, before;
	pthread_t t;

	event = eventfd(0, 0);
	epoll = epoll_create1(0);
	assert(event >= 0 && epoll >= 0 && !epoll_ctl(epoll, EPOLL_CTL_ADD, event, &in));
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	assert(signal(SIGUSR1, on_usr1) != SIG_ERR && !pthread_sigmask(SIG_BLOCK, &usr1, &before));
	t = start(loop, &before);
	assert(!pthread_kill(t, SIGUSR1));
	join(t);
	return 0;
}
