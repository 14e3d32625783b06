/* SPDX-License-Identifier: ISC */
/* An event loop with a signalfd and an eventfd. WRONG: a thread does not block the signal, and it is delivered there.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 crash -- --strategy graph
 * verdict -DWRONG sc crash -- --strategy random
 */
#include "kernel.h"

#include <sys/signalfd.h>

static int wake;
static sigset_t term;

static void *work(void *arg)
{
#ifdef WRONG
	pthread_sigmask(SIG_UNBLOCK, &term, NULL);
#endif
	eventfd_write(wake, 1);
	return NULL;
}

int main(void)
{
	int epoll = epoll_create1(0), signals, stop = 0, woken = 0;
	struct epoll_event e = {.events = EPOLLIN};
	struct signalfd_siginfo info;
	eventfd_t n;
	pthread_t t;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &term, NULL);
	signals = signalfd(-1, &term, SFD_NONBLOCK);
	wake = eventfd(0, EFD_NONBLOCK);
	e.data.fd = signals;
	assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, signals, &e));
	e.data.fd = wake;
	assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, wake, &e));
	assert(read(signals, &info, sizeof info) == -1 && errno == EAGAIN);
	t = start(work, NULL);
	assert(!kill(getpid(), SIGTERM));
	while (!stop || !woken) {
		assert(epoll_wait(epoll, &e, 1, -1) == 1);
		if (e.data.fd == wake) {
			assert(!eventfd_read(wake, &n));
			woken = 1;
		} else if (read(signals, &info, sizeof info) == sizeof info) {
			assert(info.ssi_signo == SIGTERM && info.ssi_code == SI_USER);
			stop = 1;
		}
	}
	join(t);
	return 0;
}
