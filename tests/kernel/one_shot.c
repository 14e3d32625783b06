/* SPDX-License-Identifier: ISC */
/* Two threads wait at one epoll instance; EPOLLONESHOT lets one of them have the message. WRONG: without
 * it both may be woken, and the second one blocks in read().
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock
 */
#include "kernel.h"

static int fd[2], epoll;

static void *work(void *arg)
{
	struct epoll_event e;
	char c;

	if (epoll_wait(epoll, &e, 1, 0) == 1)
		assert(read(fd[0], &c, 1) == 1);
	return NULL;
}

int main(void)
{
	struct epoll_event e = {.events = EPOLLIN};
	pthread_t t;

#ifndef WRONG
	e.events |= EPOLLONESHOT;
#endif
	epoll = epoll_create1(0);
	assert(!pipe(fd));
	assert(write(fd[1], "x", 1) == 1);
	assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, fd[0], &e));
	t = start(work, NULL);
	work(NULL);
	join(t);
	return 0;
}
