/* SPDX-License-Identifier: ISC */
/*
 * descriptor_io.h - calls on descriptors of kernel/descriptor.h, with libc's results: -1 and errno,
 * SIGPIPE.
 *
 * caller: the return address in the program; see give().
 */
#ifndef INTERCEPT_FILE_DESCRIPTOR_IO_H
#define INTERCEPT_FILE_DESCRIPTOR_IO_H

#include "kernel/descriptor.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/uio.h>

struct transfer {
	const void *caller;
	int fd;
	struct file file; /* its file; kind 0: it has not been looked at */
	const struct iovec *v;
	int n;
	int flags;     /* MSG_DONTWAIT ... */
	u64 source;    /* received: the number of the sender's address, or 0 */
	u64 passed;    /* descriptors, the number of their states, or 0 */
	bool truncated; /* a message was longer */
	const struct address *to;
};

ssize_t descriptor_receive(struct transfer *t);
ssize_t descriptor_send(struct transfer *t);
ssize_t descriptor_readv(
	const void *caller, int fd, const struct iovec *v, int n, int message_flags);
ssize_t descriptor_writev(
	const void *caller, int fd, const struct iovec *v, int n, int message_flags);
/* read() of no bytes from a socket does not take a message. */
bool descriptor_is_socket(int fd);
/* The descriptors that a message passes: the number of their states; a negative errno: one is not
 * ours, or closed. */
i64 descriptor_pass(const int *fd, u32 n, u64 *passed);
/* Open at most max of them, and close the rest. Returns their number. */
u32 descriptor_take_passed(u64 passed, int *fd, u32 max);

int descriptor_pipe(const void *caller, int fd[2], int flags);
int descriptor_pair(const void *caller, int fd[2], int type);
int descriptor_event(unsigned value, int flags);
int descriptor_dup(int fd, int from);
int descriptor_dup_onto(int from, int to);
int descriptor_end(int fd); /* close() */
int descriptor_shutdown(int fd, int how);
int descriptor_control(int fd, int command, long argument); /* fcntl() */
int descriptor_ioctl(const void *caller, int fd, unsigned long request, void *argument);

/* poll(); ns < 0: for ever. */
int descriptor_poll(const void *caller, struct pollfd *p, nfds_t n, i64 ns);
/* Is any of them ours? */
bool descriptor_in_poll(const void *caller, const struct pollfd *p, nfds_t n);

int descriptor_select(const void *caller, int n, fd_set *const set[3], i64 ns);
bool descriptor_in_select(const void *caller, int n, fd_set *const set[3]);

int descriptor_epoll(int flags); /* epoll_create1() */
int descriptor_epoll_ctl(
	const void *caller, int epoll, int operation, int fd, const struct epoll_event *event);
int descriptor_epoll_wait(
	const void *caller, int epoll, struct epoll_event *events, int max, i64 ns);

/* Refuse `call`, which is not simulated, if the descriptor is ours. */
void descriptor_refuse(int fd, const char *call);

#endif
