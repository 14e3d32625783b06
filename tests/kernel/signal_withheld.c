/* SPDX-License-Identifier: ISC */
/* A descriptor is ready: a wait that unblocks a pending signal returns it, and the signal stays pending. With none
 * ready, the signal interrupts the wait, even one that would end at once. WRONG: the signal is expected to be first.
 * -DSUSPEND: sigsuspend() runs the handlers of both signals.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok -- --strategy random --executions 2000
 * verdict -DSUSPEND rc11 ok complete -- --strategy graph
 * verdict -DSUSPEND sc ok -- --strategy random --executions 2000
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"

static atomic_int handled;
static int event;

static void on_signal(int sig)
{
	handled++;
}

static void *wait_for_both(void *arg)
{
	struct pollfd p = {.fd = event, .events = POLLIN};
	const struct timespec now = {0}, later = {1, 0};
	uint64_t n;
	sigset_t none;

	sigemptyset(&none);
	assert(!sem_wait(arg));
#ifdef SUSPEND
	assert(sigsuspend(&none) == -1 && errno == EINTR && handled == 2);
	return NULL;
#endif
	assert(ppoll(&p, 1, &later, &none) == 1 && p.revents == POLLIN);
#ifdef WRONG
	assert(handled == 2);
#else
	assert(!handled && read(event, &n, sizeof n) == sizeof n);
	assert(ppoll(&p, 1, &now, &none) == -1 && errno == EINTR && handled == 2);
	assert(!ppoll(&p, 1, &now, &none));
#endif
	return NULL;
}

int main(void)
{
	sigset_t set;
	pthread_t t;
	sem_t sent;

	event = eventfd(0, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	assert(!sem_init(&sent, 0, 0) && !pthread_sigmask(SIG_BLOCK, &set, NULL));
	assert(signal(SIGUSR1, on_signal) != SIG_ERR && signal(SIGUSR2, on_signal) != SIG_ERR);
	t = start(wait_for_both, &sent);
	assert(!pthread_kill(t, SIGUSR1) && !pthread_kill(t, SIGUSR2));
	assert(write(event, &(uint64_t){1}, 8) == 8 && !sem_post(&sent));
	join(t);
	return 0;
}
