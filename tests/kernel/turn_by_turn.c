/* SPDX-License-Identifier: ISC */
/* epoll_wait() with room for one descriptor: those that are level-triggered take turns. WRONG: one thread's event keeps
 * the other's from being reported for ever, as with poll().
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG tso assertion
 */
#include "kernel.h"

static int fd[2];

static void *post(void *arg)
{
	assert(!eventfd_write(*(int *)arg, 1));
	return NULL;
}

int main(void)
{
	struct epoll_event e = {.events = EPOLLIN};
	int epoll = epoll_create1(0), seen[2] = {0};
	pthread_t t[2];

	for (int i = 0; i < 2; i++) {
		fd[i] = eventfd(0, 0);
		e.data.fd = i;
		assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, fd[i], &e));
		t[i] = start(post, &fd[i]);
	}
	for (int i = 0; i < 2; i++)
		join(t[i]);
	for (int i = 0; i < 2; i++) {
#ifdef WRONG
		struct pollfd p[2] = {{.fd = fd[0], .events = POLLIN}, {.fd = fd[1], .events = POLLIN}};

		assert(poll(p, 2, -1) == 2);
		seen[p[0].revents ? 0 : 1]++;
#else
		assert(epoll_wait(epoll, &e, 1, -1) == 1);
		seen[e.data.fd]++;
#endif
	}
	assert(seen[0] == 1 && seen[1] == 1);
	return 0;
}
