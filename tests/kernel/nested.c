/* SPDX-License-Identifier: ISC */
/* A pipe in two epoll instances, one of which is an item of the other. WRONG: the outer item is edge-triggered,
 * and the inner one is not read to its end.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG tso deadlock
 */
#include "kernel.h"

static int fd[2][2];

static void *post(void *arg)
{
	assert(write(*(int *)arg, "x", 1) == 1);
	return NULL;
}

int main(void)
{
	int outer = epoll_create1(0), inner = epoll_create1(0);
	struct epoll_event e = {.events = EPOLLIN};
	pthread_t t[2];
	char c;

	for (int i = 0; i < 2; i++) {
		assert(!pipe(fd[i]));
		e.data.fd = fd[i][0];
		assert(!epoll_ctl(inner, EPOLL_CTL_ADD, fd[i][0], &e));
	}
#ifdef WRONG
	e.events |= EPOLLET;
#endif
	assert(!epoll_ctl(outer, EPOLL_CTL_ADD, inner, &e));
	for (int i = 0; i < 2; i++)
		t[i] = start(post, &fd[i][1]);
	for (int i = 0; i < 2; i++) {
		assert(epoll_wait(outer, &e, 1, -1) == 1);
		assert(epoll_wait(inner, &e, 1, 0) == 1);
		assert(read(e.data.fd, &c, 1) == 1);
	}
	for (int i = 0; i < 2; i++)
		join(t[i]);
	return 0;
}
