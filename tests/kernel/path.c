/* SPDX-License-Identifier: ISC */
/* A socket in the file system, which exists after its close, until it is unlinked. WRONG: its path is not
 * unlinked before it is bound again.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG tso assertion
 */
#include "kernel.h"

static const struct sockaddr_un path = {.sun_family = AF_UNIX, .sun_path = "heddle-kernel-path"};

static int serve(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

#ifndef WRONG
	unlink(path.sun_path);
#endif
	assert(!bind(fd, (const struct sockaddr *)&path, sizeof path) && !listen(fd, 1));
	return fd;
}

static void *ask(void *arg)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char c;

	assert(!connect(fd, (const struct sockaddr *)&path, sizeof path));
	assert(read(fd, &c, 1) == 1 && c == 'x');
	close(fd);
	return NULL;
}

int main(void)
{
	struct sockaddr_un own;
	socklen_t length = sizeof own;
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), listener;
	pthread_t t;

	assert(connect(fd, (const struct sockaddr *)&path, sizeof path) == -1 && errno == ENOENT);
	close(serve());
	assert(connect(fd, (const struct sockaddr *)&path, sizeof path) == -1 && errno == ECONNREFUSED);
	listener = serve();
	assert(!getsockname(listener, (struct sockaddr *)&own, &length));
	assert(!strcmp(own.sun_path, path.sun_path));
	t = start(ask, NULL);
	fd = accept(listener, NULL, NULL);
	assert(write(fd, "x", 1) == 1);
	join(t);
	close(listener);
	assert(!unlink(path.sun_path) && unlink(path.sun_path) == -1 && errno == ENOENT);
	return 0;
}
