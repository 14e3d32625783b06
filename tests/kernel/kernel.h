/* SPDX-License-Identifier: ISC */
/* kernel.h - for programs whose threads talk through the kernel: each is right, and with -DWRONG wrong. */
#ifndef TESTS_KERNEL_H
#define TESTS_KERNEL_H

#define _GNU_SOURCE
#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static inline pthread_t start(void *(*f)(void *), void *arg)
{
	pthread_t t;

	assert(!pthread_create(&t, NULL, f, arg));
	return t;
}

static inline void join(pthread_t t)
{
	assert(!pthread_join(t, NULL));
}

/* --- sockets of the loopback interface -------------------------------------------------------- */

static inline struct sockaddr_in at_port(in_port_t port)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
		.sin_port = port,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

/* A socket that is bound to a free port; listens, unless it is for datagrams. */
static inline int serve_at(int type, in_port_t *port)
{
	struct sockaddr_in a = at_port(0);
	socklen_t length = sizeof a;
	int fd = socket(AF_INET, type, 0);

	assert(fd >= 0 && !bind(fd, (struct sockaddr *)&a, length));
	assert(!getsockname(fd, (struct sockaddr *)&a, &length) && a.sin_port);
	if (!(type & SOCK_DGRAM))
		assert(!listen(fd, 8));
	*port = a.sin_port;
	return fd;
}

static inline int connect_to(in_port_t port)
{
	struct sockaddr_in a = at_port(port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert(fd >= 0);
	if (connect(fd, (struct sockaddr *)&a, sizeof a)) {
		close(fd);
		return -1;
	}
	return fd;
}

#endif
