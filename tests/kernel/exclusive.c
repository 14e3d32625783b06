/* SPDX-License-Identifier: ISC */
/* A listening socket in two epoll instances (EPOLLEXCLUSIVE): both threads may be woken for one connection. WRONG:
 * the second one accepts, and blocks.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG tso deadlock
 */
#include "kernel.h"

static int listener;

static void *serve(void *arg)
{
	struct epoll_event e = {.events = EPOLLIN | EPOLLEXCLUSIVE};
	int epoll = epoll_create1(0);

	assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &e));
	if (epoll_wait(epoll, &e, 1, 0) == 1 && accept(listener, NULL, NULL) < 0)
		assert(errno == EAGAIN);
	return NULL;
}

int main(void)
{
	in_port_t port;
	pthread_t t;

#ifdef WRONG
	listener = serve_at(SOCK_STREAM, &port);
#else
	listener = serve_at(SOCK_STREAM | SOCK_NONBLOCK, &port);
#endif
	assert(connect_to(port) >= 0);
	t = start(serve, NULL);
	serve(NULL);
	join(t);
	return 0;
}
