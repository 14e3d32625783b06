/* SPDX-License-Identifier: ISC */
/* epoll_wait() reports two descriptors in the order in which they became ready. WRONG: in that in which they were
 * added.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG tso assertion
 */
#include "kernel.h"

static int fd[2];

static void *raise_both(void *arg)
{
	assert(!eventfd_write(fd[1], 1) && !eventfd_write(fd[0], 1));
	return NULL;
}

int main(void)
{
	struct epoll_event e[2] = {{.events = EPOLLIN, .data.fd = 0}, {.events = EPOLLIN, .data.fd = 1}};
	int epoll = epoll_create1(0), n;
	pthread_t t;

	for (int i = 0; i < 2; i++) {
		fd[i] = eventfd(0, 0);
		assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, fd[i], &e[i]));
	}
	t = start(raise_both, NULL);
	n = epoll_wait(epoll, e, 2, -1);
#ifdef WRONG
	assert(n == 1 || !e[0].data.fd);
#else
	assert(e[0].data.fd);
	assert(n == 1 || (n == 2 && !e[1].data.fd));
#endif
	join(t);
	return 0;
}
