/* SPDX-License-Identifier: ISC */
/* A server closes a TCP connection: before it has read all (-DUNREAD), by a reset, or in order, after which the next
 * bytes are answered by one. The client finds the connection ended. WRONG: it expects to find a peer.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DUNREAD rc11 ok complete -- --strategy graph
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG -DUNREAD sc assertion
 */
#include "kernel.h"

static int listener;
static in_port_t port;

static void *serve(void *arg)
{
	int fd = accept(listener, NULL, NULL);
	struct pollfd p = {fd, POLLIN};
	char c;

	assert(poll(&p, 1, -1) == 1);
#ifndef UNREAD
	assert(read(fd, &c, 1) == 1);
#endif
	close(fd);
	return arg;
}

int main(void)
{
	struct pollfd p = {.events = POLLIN | POLLOUT | POLLRDHUP};
	struct sockaddr_in peer;
	socklen_t length = sizeof peer;
	pthread_t t;
	int fd;
	char c;

	listener = serve_at(SOCK_STREAM, &port);
	t = start(serve, NULL);
	p.fd = fd = connect_to(port);
	assert(write(fd, "a", 1) == 1);
	join(t);
#ifdef UNREAD
	assert(read(fd, &c, 1) == -1 && errno == ECONNRESET);
#else
	assert(poll(&p, 1, 0) == 1 && p.revents == (POLLIN | POLLOUT | POLLRDHUP));
	assert(send(fd, "b", 1, MSG_NOSIGNAL) == 1); /* answered by a reset */
	assert(poll(&p, 1, 0) == 1 && p.revents & POLLERR);
	assert(send(fd, NULL, 0, MSG_NOSIGNAL) == -1 && errno == EPIPE);
#endif
	assert(read(fd, &c, 1) == 0);
	assert(poll(&p, 1, 0) == 1 && p.revents == (POLLIN | POLLOUT | POLLRDHUP | POLLHUP));
	assert(send(fd, "b", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
#ifndef WRONG
	assert(shutdown(fd, SHUT_WR) == -1 && errno == ENOTCONN);
	assert(getpeername(fd, (struct sockaddr *)&peer, &length) == -1 && errno == ENOTCONN);
#else
	assert(!getpeername(fd, (struct sockaddr *)&peer, &length));
#endif
	return 0;
}
