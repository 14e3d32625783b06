/* SPDX-License-Identifier: ISC */
/* Datagrams of two threads to one socket, answered to their addresses. WRONG: both answers go to the
 * address of the last one.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 deadlock,assertion -- --strategy graph
 * verdict -DWRONG tso deadlock,assertion
 */
#include "kernel.h"

static in_port_t port;

static void *ask(void *arg)
{
	struct sockaddr_in a = at_port(port);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	char c = *(char *)arg;

	assert(sendto(fd, &c, 1, 0, (struct sockaddr *)&a, sizeof a) == 1);
	assert(recv(fd, &c, 1, 0) == 1 && c == *(char *)arg);
	return NULL;
}

int main(void)
{
	int fd = serve_at(SOCK_DGRAM, &port);
	struct sockaddr_in from[2];
	pthread_t t[2];
	char c[2];

	t[0] = start(ask, "a");
	t[1] = start(ask, "b");
	for (int i = 0; i < 2; i++) {
		socklen_t length = sizeof from[i];

		assert(recvfrom(fd, &c[i], 1, 0, (struct sockaddr *)&from[i], &length) == 1);
	}
	for (int i = 0; i < 2; i++) {
#ifdef WRONG
		struct sockaddr_in *to = &from[1];
#else
		struct sockaddr_in *to = &from[i];
#endif
		assert(sendto(fd, &c[i], 1, 0, (struct sockaddr *)to, sizeof *to) == 1);
	}
	for (int i = 0; i < 2; i++)
		join(t[i]);
	return 0;
}
