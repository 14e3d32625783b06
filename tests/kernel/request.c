/* SPDX-License-Identifier: ISC */
/* Requests and answers over a pair of sockets. WRONG: the server answers twice, and the second answer
 * is taken for that of the next request.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG tso assertion
 */
#include "kernel.h"

static int fd[2];

static void *serve(void *arg)
{
	int request;

	while (recv(fd[1], &request, sizeof request, 0) == sizeof request) {
		request *= 2;
		assert(send(fd[1], &request, sizeof request, MSG_NOSIGNAL) == sizeof request);
#ifdef WRONG
		if (request == 2)
			send(fd[1], &request, sizeof request, MSG_NOSIGNAL);
#endif
	}
	return NULL;
}

int main(void)
{
	pthread_t t;

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
	t = start(serve, NULL);
	for (int i = 1; i <= 2; i++) {
		int answer;

		assert(send(fd[0], &i, sizeof i, 0) == sizeof i);
		assert(recv(fd[0], &answer, sizeof answer, 0) == sizeof answer);
		assert(answer == 2 * i);
	}
	assert(!shutdown(fd[0], SHUT_WR));
	join(t);
	return 0;
}
