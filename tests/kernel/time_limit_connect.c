/* SPDX-License-Identifier: ISC */
/* A client connects to a server whose queue is full, and waits for room only so long (SO_SNDTIMEO). WRONG: it takes it
 * that it is connected.
 *
 * verdict rc11 ok complete -- --strategy graph --sleepers any
 * verdict rc11 ok complete -- --strategy graph --sleepers last
 * verdict sc ok -- --executions 300 --sleepers any
 * verdict -DWRONG rc11 assertion -- --strategy graph --sleepers any
 * verdict -DWRONG tso assertion -- --sleepers any
 */
#include "kernel.h"

#include <sys/time.h>

static int listener;

static void *serve(void *arg)
{
	close(accept(listener, NULL, NULL));
	return arg;
}

int main(void)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "\0full"};
	struct timeval limit = {60, 0};
	int first = socket(AF_UNIX, SOCK_STREAM, 0), second = socket(AF_UNIX, SOCK_STREAM, 0);
	int result;
	pthread_t t;

	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	assert(!bind(listener, (struct sockaddr *)&a, sizeof a) && !listen(listener, 0));
	assert(!connect(first, (struct sockaddr *)&a, sizeof a));
	assert(!setsockopt(second, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit));
	t = start(serve, NULL);
	result = connect(second, (struct sockaddr *)&a, sizeof a);
#ifdef WRONG
	assert(!result);
#else
	assert(!result || errno == EAGAIN);
#endif
	join(t);
	return 0;
}
