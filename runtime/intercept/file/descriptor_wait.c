/* SPDX-License-Identifier: ISC */
/* descriptor_wait.c - poll(), select(), epoll on descriptors between threads; descriptor_io.h. */
#include "intercept/file/descriptor_io.h"
#include "intercept/file/lent.h"
#include "intercept/intercept.h"
#include "kernel/epoll.h"
#include "kernel/poll.h"

#include <errno.h>
#include <sys/stat.h>

/* --- waiting for several --------------------------------------------------------------------- */

#define POLLED_MAX 128

struct poll_request {
	struct pollfd *p;
	nfds_t n;
};

bool descriptor_in_poll(const void *caller, const struct pollfd *p, nfds_t n)
{
	int fd;

	for (nfds_t i = 0; i < n; i++) {
		take(caller, &fd, &p[i].fd, sizeof fd);
		if (descriptor_is_ours(fd))
			return true;
	}
	return false;
}

/* The other descriptors, now. */
static u32 look_outside(void *arg)
{
	const struct poll_request *r = arg;
	struct pollfd other[POLLED_MAX];
	u32 found = 0;

	for (nfds_t i = 0; i < r->n; i++) {
		other[i] = r->p[i];
		other[i].fd = descriptor_is_ours(r->p[i].fd) ? -1 : r->p[i].fd;
	}
	real(poll)(other, r->n, 0);
	for (nfds_t i = 0; i < r->n; i++) {
		r->p[i].revents = other[i].revents;
		found += other[i].revents != 0;
	}
	return found;
}

/* Before waiting: child processes run, unless they get more input. */
static void run_children(const struct pollfd *p, nfds_t n)
{
	for (nfds_t i = 0; i < n; i++)
		if (p[i].events & POLLOUT && descriptor_is_ours(p[i].fd) &&
			descriptor_at(p[i].fd).lent)
			return;
	lent_run_all();
}

/* p is a copy of the program's. */
static int poll_copy(struct pollfd *p, nfds_t n, i64 ns)
{
	struct polled polled[POLLED_MAX];
	struct poll_request r = {p, n};
	bool others = false;
	u32 nours = 0, found, used = 0;

	for (nfds_t i = 0; i < n; i++) {
		p[i].revents = 0;
		if (descriptor_is_ours(p[i].fd))
			polled[nours++] = (struct polled){.fd = p[i].fd, .events = p[i].events};
		else
			others |= p[i].fd >= 0;
	}
	if (unlikely(lent_any()))
		run_children(p, n);
	found = poll_wait(polled, nours, ns, others ? look_outside : NULL, &r);
	for (nfds_t i = 0; i < n; i++)
		if (descriptor_is_ours(p[i].fd))
			p[i].revents = (short)polled[used++].found;
	return found == POLL_INTERRUPTED ? -EINTR : (int)found;
}

static _Noreturn void refuse_many(void)
{
	machine_refuse("limit: more than %d descriptors are polled at once", POLLED_MAX);
}

int descriptor_poll(const void *caller, struct pollfd *p, nfds_t n, i64 ns)
{
	struct pollfd copy[POLLED_MAX];
	int found;

	if (n > POLLED_MAX)
		refuse_many();
	for (nfds_t i = 0; i < n; i++) {
		take(caller, &copy[i].fd, &p[i].fd, sizeof p[i].fd);
		take(caller, &copy[i].events, &p[i].events, sizeof p[i].events);
	}
	found = poll_copy(copy, n, ns);
	if (found < 0)
		return (int)errno_return(found);
	for (nfds_t i = 0; i < n; i++)
		give(caller, &p[i].revents, &copy[i].revents, sizeof p[i].revents);
	return found;
}

static const struct {
	short events, found; /* all of `found' is reported */
} sets[3] = {
	{POLLIN, POLLIN | POLLHUP | POLLERR},
	{POLLOUT, POLLOUT | POLLERR},
	{POLLPRI, POLLPRI},
};

static size_t set_size(int n)
{
	return (size_t)(n + 63) / 64 * 8;
}

static void take_sets(const void *caller, int n, fd_set *const set[3], fd_set copy[3])
{
	for (int i = 0; i < 3; i++)
		for (size_t at = 0; set[i] && at < set_size(n); at += 8)
			take(caller, (char *)&copy[i] + at, (char *)set[i] + at, 8);
}

bool descriptor_in_select(const void *caller, int n, fd_set *const set[3])
{
	fd_set copy[3] = {0};

	if (n > FD_SETSIZE)
		return false;
	take_sets(caller, n, set, copy);
	for (int fd = 0; fd < n; fd++)
		for (int i = 0; i < 3; i++)
			if (FD_ISSET(fd, &copy[i]) && descriptor_is_ours(fd))
				return true;
	return false;
}

/* Convert the sets to poll()'s form; returns the number of descriptors. */
static nfds_t polled_by(int n, const fd_set copy[3], struct pollfd p[POLLED_MAX])
{
	nfds_t used = 0;

	for (int fd = 0; fd < n; fd++) {
		short events = 0;

		for (int i = 0; i < 3; i++)
			events |= FD_ISSET(fd, &copy[i]) ? sets[i].events : 0;
		if (!events)
			continue;
		if (used == POLLED_MAX)
			refuse_many();
		p[used++] = (struct pollfd){.fd = fd, .events = events};
	}
	return used;
}

int descriptor_select(const void *caller, int n, fd_set *const set[3], i64 ns)
{
	fd_set copy[3] = {0};
	struct pollfd p[POLLED_MAX];
	nfds_t used;
	int found = 0;

	if (n < 0 || n > FD_SETSIZE)
		return (int)errno_return(-EINVAL);
	take_sets(caller, n, set, copy);
	used = polled_by(n, copy, p);
	if (poll_copy(p, used, ns) < 0)
		return (int)errno_return(-EINTR);
	for (nfds_t j = 0; j < used; j++) {
		if (p[j].revents & POLLNVAL)
			return (int)errno_return(-EBADF);
		for (int i = 0; i < 3; i++) {
			bool on = FD_ISSET(p[j].fd, &copy[i]) && p[j].revents & sets[i].found;

			found += on;
			if (!on)
				FD_CLR(p[j].fd, &copy[i]);
		}
	}
	for (int i = 0; i < 3; i++)
		if (set[i])
			give(caller, set[i], &copy[i], set_size(n));
	return found;
}

/* --- epoll ----------------------------------------------------------------------------------- */

int descriptor_epoll(int flags)
{
	if (flags & ~EPOLL_CLOEXEC)
		return (int)errno_return(-EINVAL);
	return (int)errno_return(descriptor_open(epoll_new()));
}

/* The errno for which a descriptor of the kernel cannot be an item, or 0. */
static int epoll_error(int fd)
{
	struct stat s;

	if (fstat(fd, &s) < 0)
		return EBADF;
	return S_ISREG(s.st_mode) || S_ISDIR(s.st_mode) ? EPERM : 0;
}

int descriptor_epoll_ctl(
	const void *caller, int epoll, int operation, int fd, const struct epoll_event *event)
{
	struct file f = descriptor_file(epoll);
	struct epoll_event copy = {0};

	if (f.kind != FILE_EPOLL)
		return (int)errno_return(f.kind ? -EINVAL : -EBADF);
	if (!descriptor_is_ours(fd) && epoll_error(fd))
		return (int)errno_return(-epoll_error(fd));
	if (!descriptor_is_ours(fd))
		machine_refuse("the program adds descriptor %d, which is the kernel's, to an epoll "
			       "instance: not simulated",
			fd);
	if (operation != EPOLL_CTL_DEL)
		take(caller, &copy, event, sizeof copy);
	return (int)errno_return(epoll_control(f, epoll, operation, fd, &copy));
}

int descriptor_epoll_wait(
	const void *caller, int epoll, struct epoll_event *events, int max, i64 ns)
{
	struct file f = descriptor_file(epoll);
	struct epoll_event found[DESCRIPTORS_OPEN];
	int n;

	if (f.kind != FILE_EPOLL)
		return (int)errno_return(f.kind ? -EINVAL : -EBADF);
	if (unlikely(lent_any()))
		lent_run_all();
	n = epoll_events(f, found, max < DESCRIPTORS_OPEN ? max : DESCRIPTORS_OPEN, ns);
	if (n > 0)
		give(caller, events, found, (size_t)n * sizeof *found);
	return (int)errno_return(n);
}
