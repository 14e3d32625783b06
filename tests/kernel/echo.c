/* SPDX-License-Identifier: ISC */
/* A server of TCP echoes two clients. WRONG: the clients start before it listens.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG tso assertion
 */
#include "kernel.h"

static in_port_t port;

static void *ask(void *arg)
{
	char c = *(char *)arg;
	int fd = connect_to(port);

	assert(fd >= 0);
	assert(send(fd, &c, 1, 0) == 1 && recv(fd, &c, 1, 0) == 1);
	assert(c == *(char *)arg);
	close(fd);
	return NULL;
}

int main(void)
{
	int listener = socket(AF_INET, SOCK_STREAM, 0), fd;
	struct sockaddr_in a = at_port(htons(4242));
	pthread_t t;
	char c;

	port = a.sin_port;
	assert(!bind(listener, (struct sockaddr *)&a, sizeof a));
#ifdef WRONG
	t = start(ask, "a");
	assert(!listen(listener, 1));
#else
	assert(!listen(listener, 1));
	t = start(ask, "a");
#endif
	fd = accept(listener, NULL, NULL);
	assert(fd >= 0);
	assert(recv(fd, &c, 1, 0) == 1 && send(fd, &c, 1, 0) == 1);
	close(fd);
	join(t);
	close(listener);
	return 0;
}
