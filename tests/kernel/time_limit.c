/* SPDX-License-Identifier: ISC */
/* A client waits for an answer only so long (SO_RCVTIMEO), and once more. WRONG: it takes it that
 * the answer has come.
 *
 * verdict rc11 ok complete -- --strategy graph --sleepers any
 * verdict sc ok -- --executions 2000 --sleepers any
 * verdict -DWRONG rc11 assertion -- --strategy graph --sleepers any
 * verdict -DWRONG sc assertion -- --sleepers any
 */
#include "kernel.h"

#include <sys/socket.h>
#include <sys/time.h>

static int end[2];

static void *serve(void *arg)
{
	char c;

	assert(read(end[1], &c, 1) == 1);
	c++;
	assert(write(end[1], &c, 1) == 1);
	return arg;
}

int main(void)
{
	struct timeval limit = {0, 1000}, got;
	socklen_t size = sizeof got;
	ssize_t n;
	pthread_t t;
	char c = 'a';

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, end));
	assert(!setsockopt(end[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit));
	assert(!getsockopt(end[0], SOL_SOCKET, SO_RCVTIMEO, &got, &size));
	assert(size == sizeof got && got.tv_sec == 0 && got.tv_usec >= 1000);
	assert(recv(end[0], &c, 1, 0) == -1 && errno == EAGAIN);
	t = start(serve, NULL);
	assert(write(end[0], &c, 1) == 1);
	n = read(end[0], &c, 1);
#ifndef WRONG
	if (n < 0) {
		assert(errno == EAGAIN);
		limit.tv_usec = 0;
		assert(!setsockopt(end[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit));
		n = read(end[0], &c, 1);
	}
#endif
	assert(n == 1 && c == 'b');
	join(t);
	return 0;
}
