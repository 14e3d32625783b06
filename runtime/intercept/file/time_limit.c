/* SPDX-License-Identifier: ISC */
/*
 * time_limit.c - see time_limit.h. A call with a limit tries, waits as poll() does, and tries
 * again.
 *
 * A limit is an object of its own, which only calls on a socket that has ever had one read
 * (struct file.timed).
 */
#include "intercept/file/time_limit.h"
#include "intercept/file/descriptor_io.h"
#include "kernel/socket.h"
#include "machine/wait/vtime.h"

#include <errno.h>

u64 time_limit(struct file f, enum descriptor_limit which)
{
	return f.timed & which ? descriptor_limit(f.in, which) : 0;
}

void time_limit_set(int fd, struct file f, enum descriptor_limit which, u64 ns)
{
	if (!(f.timed & which) && !ns)
		return;
	descriptor_set_limit(f.in, which, ns);
	if (f.timed & which)
		return;
	f.timed |= which;
	descriptor_change(fd, f);
}

/* 0: the call has none. */
static u64 deadline_of(struct file f, enum descriptor_limit which, bool nonblocking)
{
	u64 ns = nonblocking || f.nonblocking ? 0 : time_limit(f, which);

	return ns ? vtime_after(ns) : 0;
}

/* Returns 0 if the call should be tried again, else a negative errno. */
static int wait_descriptor_until(int fd, short events, u64 deadline)
{
	struct pollfd p = {.fd = fd, .events = events};
	u64 left = vtime_until(deadline);
	int found = left ? descriptor_poll(NULL, &p, 1, (i64)left) : 0;

	if (found < 0)
		return -errno;
	return found ? 0 : -EAGAIN;
}

i64 time_limited_read(int fd, struct file f, size_t n, u32 flags, const struct channel_message **m)
{
	u64 deadline = deadline_of(f, LIMIT_RECEIVE, flags & FILE_NONBLOCKING);
	i64 size;
	int error = 0;

	do
		size = file_read(f, n, flags | (deadline ? FILE_NONBLOCKING : 0), m);
	while (deadline && size == -EAGAIN &&
		!(error = wait_descriptor_until(fd, POLLIN, deadline)));
	return error ? error : size;
}

static void inherit_limits(struct file from, struct file *to)
{
	static const enum descriptor_limit both[] = {LIMIT_RECEIVE, LIMIT_SEND};

	for (u32 i = 0; i < array_size(both); i++) {
		u64 ns = time_limit(from, both[i]);

		if (!ns)
			continue;
		to->timed |= both[i];
		descriptor_set_limit(to->in, both[i], ns);
	}
}

i32 time_limited_accept(int fd, struct file f, bool nonblocking, struct file *accepted, u64 *peer)
{
	u64 deadline = deadline_of(f, LIMIT_RECEIVE, false);
	struct file listens = f;
	int result, error = 0;

	if (deadline)
		listens.nonblocking = 1;
	do
		result = socket_accept(listens, nonblocking, accepted, peer);
	while (deadline && result == -EAGAIN &&
		!(error = wait_descriptor_until(fd, POLLIN, deadline)));
	if (!result)
		inherit_limits(f, accepted);
	return error ? error : result;
}

u64 time_limit_of_send(struct file f, u32 flags)
{
	return deadline_of(f, LIMIT_SEND, flags & FILE_NONBLOCKING);
}

int time_limited_room(int fd, u64 deadline)
{
	return wait_descriptor_until(fd, POLLOUT, deadline);
}
