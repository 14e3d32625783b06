/* SPDX-License-Identifier: ISC */
/* An event loop with a timer and an eventfd. WRONG: the timer's action is assumed to come after a wake-up
 * that has been sent before it could expire.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG tso assertion
 */
#include "kernel.h"

static int wake;

static void *post(void *arg)
{
	eventfd_write(wake, 1);
	return NULL;
}

int main(void)
{
	struct itimerspec at = {.it_value.tv_sec = 3600};
	int epoll = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	int woken = 0, expired = 0;
	struct epoll_event e = {.events = EPOLLIN};
	uint64_t n;
	pthread_t t;

	wake = eventfd(0, EFD_NONBLOCK);
	e.data.fd = wake;
	assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, wake, &e));
	e.data.fd = timer;
	assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &e));
	assert(read(timer, &n, sizeof n) == -1 && errno == EAGAIN);
	assert(!timerfd_settime(timer, 0, &at, NULL));
	t = start(post, NULL);
	while (!woken || !expired) {
		assert(epoll_wait(epoll, &e, 1, -1) == 1);
		assert(read(e.data.fd, &n, sizeof n) == sizeof n && n == 1);
		if (e.data.fd == wake)
			woken = 1;
		else
			expired = 1;
#ifdef WRONG
		assert(woken);
#endif
	}
	assert(!timerfd_gettime(timer, &at) && !at.it_value.tv_sec);
	join(t);
	return 0;
}
