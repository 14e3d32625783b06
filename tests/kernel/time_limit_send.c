/* SPDX-License-Identifier: ISC */
/* A server sends to a slow client only so long (SO_SNDTIMEO), and then waits without a limit. WRONG: it takes it that
 * everything has been sent.
 *
 * verdict rc11 ok complete -- --strategy graph --sleepers any
 * verdict sc ok -- --executions 300 --sleepers any
 * verdict -DWRONG rc11 assertion -- --strategy graph --sleepers any
 * verdict -DWRONG sc assertion -- --sleepers any
 */
#include "kernel.h"

#include <sys/time.h>

#define PART 65536

static char part[PART], got[PART];
static int end[2];
static atomic_size_t sent;

static void *receive(void *arg)
{
	size_t all = 0;
	ssize_t n;

	while ((n = read(end[1], got, sizeof got)) > 0)
		all += (size_t)n;
	assert(all == sent);
	return arg;
}

/* Until there is no room. */
static void fill(void)
{
	ssize_t n;

	while ((n = send(end[0], part, PART, MSG_DONTWAIT)) > 0)
		sent += (size_t)n;
	assert(errno == EAGAIN);
}

int main(void)
{
	struct timeval limit = {0, 1000}, set;
	socklen_t size = sizeof set;
	ssize_t n;
	pthread_t t;

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, end));
	assert(!setsockopt(end[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit));
	assert(!getsockopt(end[0], SOL_SOCKET, SO_SNDTIMEO, &set, &size));
	assert(size == sizeof set && set.tv_sec == 0 && set.tv_usec >= 1000);
	fill();
	assert(send(end[0], "x", 1, 0) == -1 && errno == EAGAIN);
	t = start(receive, NULL);
	n = send(end[0], "x", 1, 0);
#ifndef WRONG
	if (n < 0) {
		assert(errno == EAGAIN);
		limit.tv_usec = 0;
		assert(!setsockopt(end[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit));
		n = send(end[0], "x", 1, 0);
	}
#endif
	assert(n == 1);
	sent++;
	assert(!close(end[0]));
	join(t);
	return 0;
}
