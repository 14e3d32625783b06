/* SPDX-License-Identifier: ISC */
/* A server closes a connection while the client still writes. WRONG: ECONNRESET is not expected, which comes
 * where the server has left something unread.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG tso assertion
 */
#include "kernel.h"

static int listener;

static void *serve(void *arg)
{
	int fd = accept(listener, NULL, NULL);
	char c;

	assert(read(fd, &c, 1) == 1);
	close(fd);
	return NULL;
}

int main(void)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "\0reset"};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	ssize_t n;
	pthread_t t;
	char c;

	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	assert(!bind(listener, (struct sockaddr *)&a, sizeof a) && !listen(listener, 1));
	t = start(serve, NULL);
	assert(!connect(fd, (struct sockaddr *)&a, sizeof a));
	assert(send(fd, "a", 1, MSG_NOSIGNAL) == 1);
	if (send(fd, "b", 1, MSG_NOSIGNAL) == -1)
		assert(errno == EPIPE);
	n = recv(fd, &c, 1, 0);
#ifdef WRONG
	assert(n == 0);
#else
	assert(n == 0 || (n == -1 && errno == ECONNRESET));
#endif
	join(t);
	return 0;
}
