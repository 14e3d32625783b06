/* SPDX-License-Identifier: ISC */
/* The signal of a timer that expires again and again is pending once. WRONG: the other times are not counted.
 *
 * verdict rc11 ok complete -- --strategy graph --sleepers last
 * verdict tso ok complete -- --strategy graph --sleepers last
 * verdict sc ok -- --strategy dfs --sleepers last
 * verdict -DWRONG rc11 assertion -- --strategy graph --sleepers last
 * verdict -DWRONG sc assertion -- --strategy dfs --sleepers last
 */
#include "kernel.h"

#include <time.h>

int main(void)
{
	struct sigevent notify = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	struct itimerspec t = {.it_value.tv_sec = 1, .it_interval.tv_sec = 1};
	struct timespec none = {0};
	sigset_t usr1;
	siginfo_t info;
	timer_t timer;
	int count;

	notify.sigev_value.sival_int = 17;
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	assert(!timer_create(CLOCK_MONOTONIC, &notify, &timer));
	assert(!timer_gettime(timer, &t) && !t.it_value.tv_sec);
	t = (struct itimerspec){.it_value.tv_sec = 1, .it_interval.tv_sec = 1};
	assert(!timer_settime(timer, 0, &t, NULL));
	usleep(3500000);
	assert(sigwaitinfo(&usr1, &info) == SIGUSR1 && info.si_code == SI_TIMER);
	assert(info.si_value.sival_int == 17);
	count = 1;
#ifndef WRONG
	count += timer_getoverrun(timer);
	assert(count == 1 + info.si_overrun);
#endif
	assert(count == 3);
	assert(sigtimedwait(&usr1, NULL, &none) == -1 && errno == EAGAIN);
	assert(!timer_delete(timer));
	assert(timer_delete(timer) == -1 && errno == EINVAL);
	return 0;
}
