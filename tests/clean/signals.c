/* SPDX-License-Identifier: ISC */
/* raise() calls the program's handler in the raising thread; masks and ignored signals do no
 * harm. */
#include <signal.h>
#include "two.h"

static pthread_t who;
static volatile sig_atomic_t got;

static void handler(int sig)
{
	got = sig;
	who = pthread_self();
}

static void *worker(void *arg)
{
	sigset_t set, old;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	assert(pthread_sigmask(SIG_BLOCK, &set, &old) == 0);
	assert(raise(SIGUSR1) == 0 && got == SIGUSR1 && pthread_equal(who, pthread_self()));
	assert(pthread_kill(pthread_self(), 0) == 0);
	return arg;
}

int main(void)
{
	struct sigaction act = {.sa_handler = handler}, now;
	pthread_t t;

	assert(sigaction(SIGUSR1, &act, NULL) == 0);
	assert(sigaction(SIGUSR1, NULL, &now) == 0 && now.sa_handler == handler);
	assert(signal(SIGTERM, SIG_IGN) == SIG_DFL && raise(SIGTERM) == 0);
	assert(raise(SIGCHLD) == 0);
	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	puts("ok");
	return 0;
}
