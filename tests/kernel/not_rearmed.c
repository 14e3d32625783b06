/* SPDX-License-Identifier: ISC */
/* EPOLLONESHOT, two bytes one after the other. WRONG: the descriptor is not rearmed where reading would block.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock
 */
#include "kernel.h"

static int fd[2];

static void *post(void *arg)
{
	assert(write(fd[1], "a", 1) == 1 && write(fd[1], "b", 1) == 1);
	return NULL;
}

int main(void)
{
	struct epoll_event e = {.events = EPOLLIN | EPOLLONESHOT};
	int epoll = epoll_create1(0), n = 0;
	pthread_t t;
	char c;

	assert(!pipe2(fd, O_NONBLOCK) && !epoll_ctl(epoll, EPOLL_CTL_ADD, fd[0], &e));
	t = start(post, NULL);
	while (n < 2) {
		assert(epoll_wait(epoll, &e, 1, -1) == 1);
		while (read(fd[0], &c, 1) == 1)
			n++;
#ifdef WRONG
		if (n == 2)
			break;
#else
		e.events = EPOLLIN | EPOLLONESHOT;
		assert(!epoll_ctl(epoll, EPOLL_CTL_MOD, fd[0], &e));
#endif
	}
	join(t);
	return 0;
}
