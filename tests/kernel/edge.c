/* SPDX-License-Identifier: ISC */
/* Edge-triggered epoll: a reader has to read until there is nothing left. WRONG: it reads once for each
 * edge, and two messages may come before the first wake-up.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG rc11 deadlock -- --strategy random --executions 2000
 * verdict -DWRONG sc deadlock -- --strategy dfs
 */
#include "kernel.h"

static int fd[2];

static void *produce(void *arg)
{
	assert(write(fd[1], "a", 1) == 1);
	assert(write(fd[1], "b", 1) == 1);
	return NULL;
}

int main(void)
{
	struct epoll_event e = {.events = EPOLLIN | EPOLLET};
	int epoll = epoll_create1(0), n = 0;
	pthread_t t;
	char c;

	assert(!pipe2(fd, O_NONBLOCK));
	assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, fd[0], &e));
	t = start(produce, NULL);
	while (n < 2) {
		assert(epoll_wait(epoll, &e, 1, -1) == 1);
#ifdef WRONG
		n += read(fd[0], &c, 1) == 1;
#else
		while (read(fd[0], &c, 1) == 1)
			n++;
#endif
	}
	join(t);
	return 0;
}
