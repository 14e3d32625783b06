/* SPDX-License-Identifier: ISC */
/* EPOLLONESHOT: the thread that has read rearms the descriptor. WRONG: it rearms it before it reads, so that another
 * thread reports what has been read by then.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG tso assertion
 */
#include "kernel.h"

static int fd[2], epoll;

static void rearm(void)
{
	struct epoll_event e = {.events = EPOLLIN | EPOLLONESHOT};

	assert(!epoll_ctl(epoll, EPOLL_CTL_MOD, fd[0], &e));
}

static void *serve(void *arg)
{
	struct epoll_event e;
	char c;

	if (epoll_wait(epoll, &e, 1, 0) != 1)
		return NULL;
#ifdef WRONG
	rearm();
#endif
	assert(read(fd[0], &c, 1) == 1);
#ifndef WRONG
	rearm();
#endif
	return NULL;
}

int main(void)
{
	struct epoll_event e = {.events = EPOLLIN | EPOLLONESHOT};
	pthread_t t;

	epoll = epoll_create1(0);
	assert(!pipe2(fd, O_NONBLOCK) && !epoll_ctl(epoll, EPOLL_CTL_ADD, fd[0], &e));
	assert(write(fd[1], "a", 1) == 1);
	t = start(serve, NULL);
	serve(NULL);
	join(t);
	return 0;
}
