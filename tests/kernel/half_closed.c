/* SPDX-License-Identifier: ISC */
/* A request ends by shutdown(), and its answer is read. WRONG: it ends by close() on a copy, which ends
 * nothing.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock -- --strategy dfs
 */
#include "kernel.h"

static int listener;

static void *serve(void *arg)
{
	int fd = accept(listener, NULL, NULL), n = 0;
	char c;

	while (read(fd, &c, 1) == 1)
		n++;
	assert(write(fd, &n, sizeof n) == sizeof n);
	close(fd);
	return NULL;
}

int main(void)
{
	in_port_t port;
	pthread_t t;
	int fd, n;

	listener = serve_at(SOCK_STREAM, &port);
	t = start(serve, NULL);
	fd = connect_to(port);
	assert(write(fd, "abc", 3) == 3);
#ifdef WRONG
	close(dup(fd));
#else
	assert(!shutdown(fd, SHUT_WR));
#endif
	assert(read(fd, &n, sizeof n) == sizeof n && n == 3);
	join(t);
	return 0;
}
