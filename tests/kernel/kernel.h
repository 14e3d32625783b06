/* SPDX-License-Identifier: ISC */
/* kernel.h - for programs whose threads talk through the kernel: each is right, and with -DWRONG wrong. */
#ifndef TESTS_KERNEL_H
#define TESTS_KERNEL_H

#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
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

#endif
