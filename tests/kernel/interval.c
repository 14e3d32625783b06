/* SPDX-License-Identifier: ISC */
/* An interval timer, and a thread that waits for three ticks. WRONG: it takes a tick between a handler's load and store.
 *
 * verdict rc11 ok -- --strategy graph --sleepers last
 * verdict tso ok -- --strategy graph --sleepers last
 * verdict sc ok -- --strategy dfs --sleepers last
 * verdict -DWRONG rc11 deadlock,assertion -- --strategy graph --sleepers last
 * verdict -DWRONG sc deadlock,assertion -- --strategy dfs --sleepers last
 */
#include "kernel.h"

#include <sys/time.h>

static volatile sig_atomic_t ticks;

static void on_alarm(int sig)
{
	ticks++;
}

int main(void)
{
	struct itimerval second = {.it_value.tv_sec = 1, .it_interval.tv_sec = 2}, old;
	struct sigaction a = {.sa_handler = on_alarm};
	sigset_t alarm, before;

	assert(!sigaction(SIGALRM, &a, NULL));
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarm, &before);
	assert(!setitimer(ITIMER_REAL, &second, NULL));
#ifdef WRONG
	sleep(10);
	sigsuspend(&before);
	assert(ticks > 1);
#else
	while (ticks < 3)
		sigsuspend(&before);
#endif
	second = (struct itimerval){.it_value = {0}};
	assert(!setitimer(ITIMER_REAL, &second, &old) && old.it_interval.tv_sec == 2);
	sleep(10);
	assert(ticks == 3);
	return 0;
}
