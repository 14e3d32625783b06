/* SPDX-License-Identifier: ISC */
/*
 * time_limit.c - see time_limit.h. A call with a limit tries, waits as poll() does, and tries
 * again.
 *
 * The limit is an object of its own, which only calls on a socket that has ever had one read
 * (struct file.timed).
 */
#include "intercept/file/time_limit.h"
#include "intercept/file/descriptor_io.h"
#include "kernel/socket.h"
#include "machine/vtime.h"

#include <errno.h>

u64 time_limit(struct file f)
{
	return f.timed ? descriptor_limit(f.in) : 0;
}

void time_limit_set(int fd, struct file f, u64 ns)
{
	if (!f.timed && !ns)
		return;
	descriptor_set_limit(f.in, ns);
	if (f.timed)
		return;
	f.timed = 1;
	descriptor_change(fd, f);
}

/* 0: the call has none. */
static u64 deadline_of(struct file f, bool nonblocking)
{
	u64 ns = nonblocking || f.nonblocking ? 0 : time_limit(f);

	return ns ? vtime_after(ns) : 0;
}

/* Returns 0 if the call should be tried again, else a negative errno. */
static int wait_until(int fd, u64 deadline)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	u64 left = vtime_until(deadline);
	int found = left ? descriptor_poll(NULL, &p, 1, (i64)left) : 0;

	if (found < 0)
		return -errno;
	return found ? 0 : -EAGAIN;
}

i64 time_limited_read(int fd, struct file f, size_t n, u32 flags, const struct channel_message **m)
{
	u64 deadline = deadline_of(f, flags & FILE_NONBLOCKING);
	i64 size;
	int error = 0;

	do
		size = file_read(f, n, flags | (deadline ? FILE_NONBLOCKING : 0), m);
	while (deadline && size == -EAGAIN && !(error = wait_until(fd, deadline)));
	return error ? error : size;
}

i32 time_limited_accept(int fd, struct file f, bool nonblocking, struct file *accepted, u64 *peer)
{
	u64 limit = time_limit(f), deadline = deadline_of(f, false);
	struct file listens = f;
	int result, error = 0;

	if (deadline)
		listens.nonblocking = 1;
	do
		result = socket_accept(listens, nonblocking, accepted, peer);
	while (deadline && result == -EAGAIN && !(error = wait_until(fd, deadline)));
	if (!result && limit) {
		accepted->timed = 1;
		descriptor_set_limit(accepted->in, limit);
	}
	return error ? error : result;
}
