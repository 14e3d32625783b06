/* SPDX-License-Identifier: ISC */
/* A thread waits for signals of its own, and of the process, and gets both: sigwait(). WRONG: both are the same
 * signal, which is pending only once.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete -- --strategy rf
 * verdict sc ok complete
 * verdict -DLATE rc11 ok complete -- --strategy graph --sleepers last
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock -- --strategy rf
 * verdict -DWRONG sc deadlock
 */
#include "kernel.h"

static pthread_t main_thread;

static void *send_both(void *arg)
{
#ifndef WRONG
	kill(getpid(), SIGUSR1);
#else
	pthread_kill(main_thread, SIGUSR2);
#endif
	pthread_kill(main_thread, SIGUSR2);
	return arg;
}

int main(void)
{
	int first, second;
	sigset_t both;
	pthread_t t;

	main_thread = pthread_self();
	sigemptyset(&both);
	sigaddset(&both, SIGUSR1);
	sigaddset(&both, SIGUSR2);
	assert(!pthread_sigmask(SIG_BLOCK, &both, NULL));
	t = start(send_both, NULL);
#ifdef LATE
	usleep(1000);
#endif
	assert(!sigwait(&both, &first) && !sigwait(&both, &second));
#ifndef WRONG
	assert(first + second == SIGUSR1 + SIGUSR2);
#endif
	join(t);
	return 0;
}
