/* SPDX-License-Identifier: ISC */
/* connect() that does not wait, to a server that may not listen yet. WRONG: a writable socket is taken for
 * connected, without SO_ERROR.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete -- --strategy dfs
 * verdict -DWRONG rc11 crash,assertion -- --strategy graph
 * verdict -DWRONG tso crash,assertion
 */
#include "kernel.h"

static int listener;

static void *serve(void *arg)
{
	assert(!listen(listener, 1));
	return NULL;
}

int main(void)
{
	struct sockaddr_in a = at_port(htons(7));
	struct pollfd p = {.events = POLLOUT};
	int error = 0;
	socklen_t length = sizeof error;
	pthread_t t;

	listener = socket(AF_INET, SOCK_STREAM, 0);
	assert(!bind(listener, (struct sockaddr *)&a, sizeof a));
	t = start(serve, NULL);
	p.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	assert(connect(p.fd, (struct sockaddr *)&a, sizeof a) == -1 && errno == EINPROGRESS);
	assert(poll(&p, 1, -1) == 1 && p.revents & POLLOUT);
#ifndef WRONG
	assert(!getsockopt(p.fd, SOL_SOCKET, SO_ERROR, &error, &length));
#endif
	if (!error)
		assert(write(p.fd, "x", 1) == 1);
	else
		assert(error == ECONNREFUSED && p.revents & POLLERR);
	join(t);
	return 0;
}
