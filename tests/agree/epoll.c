/* SPDX-License-Identifier: ISC */
/*
 * epoll.c - random sequences of calls on epoll instances, pipes, eventfds and sockets, by one
 * thread: the explored results are those of the kernel. TAP.
 *
 *     epoll [FIRST SEED [PROGRAMS]]
 */
#include "sequence.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define INSTANCES 3 /* the last one may watch the others */
#define FILES \
	13 /* ends of two pipes, two eventfds, a pair of stream sockets, one of \
	    * packets, a socket that listens, two that connect to it */

static int epoll[INSTANCES], file[FILES];
static bool connected[2];

/* An abstract address, so that nothing has to be removed. */
static const struct sockaddr_un address = {
	.sun_family = AF_UNIX, .sun_path = "\0heddle-agree-epoll"};

#define ADDRESS (sizeof address.sun_family + 20)

static void open_all(void)
{
	for (int i = 0; i < INSTANCES; i++)
		epoll[i] = epoll_create1(0);
	for (int i = 0; i < 4; i += 2)
		assert(!pipe2(file + i, O_NONBLOCK));
	for (int i = 4; i < 6; i++)
		file[i] = eventfd(0, EFD_NONBLOCK);
	assert(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, file + 6));
	assert(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, file + 8));
	connected[0] = connected[1] = false;
	for (int i = 10; i < FILES; i++)
		file[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	assert(!bind(file[10], (struct sockaddr *)&address, ADDRESS) && !listen(file[10], 4));
}

static void close_all(void)
{
	for (int i = 0; i < INSTANCES; i++)
		close(epoll[i]);
	for (int i = 0; i < FILES; i++)
		if (file[i] >= 0)
			close(file[i]);
}

/* data: distinguishes changes of an item. */
static int control(int call)
{
	static const unsigned events[] = {
		EPOLLIN, EPOLLOUT, EPOLLIN | EPOLLOUT, EPOLLIN | EPOLLRDHUP, 0};
	int at = draw("instance", INSTANCES);
	int of = draw("file", at == INSTANCES - 1 ? FILES + 2 : FILES);
	struct epoll_event e = {
		.events = events[draw("events", 5)], .data.u32 = (unsigned)(call * 100 + of)};

	e.events |= (draw("level", 3) ? 0 : EPOLLET) | (draw("often", 4) ? 0 : EPOLLONESHOT);
	return error(epoll_ctl(epoll[at],
		below(5)   ? EPOLL_CTL_ADD
		: below(3) ? EPOLL_CTL_MOD
			   : EPOLL_CTL_DEL,
		of < FILES ? file[of] : epoll[of - FILES], &e));
}

static int change(void)
{
	static const int operations[] = {EPOLL_CTL_MOD, EPOLL_CTL_MOD, EPOLL_CTL_DEL};
	int at = draw("instance", INSTANCES), of = draw("file", FILES);
	struct epoll_event e = {.events = EPOLLIN | (draw("out", 2) ? EPOLLOUT : 0) |
					  (draw("edge", 2) ? EPOLLET : 0)};

	e.data.u32 = (unsigned)of;
	return error(epoll_ctl(epoll[at], operations[below(3)], file[of], &e));
}

/* All that there is to read: the kernel tells writers of sockets when it has freed a whole message.
 */
static int transfer(bool out)
{
	unsigned long value = below(3) + 1ul, bytes[16];
	int of = draw("file", FILES);

	if (!out)
		return error((int)read(file[of], bytes, sizeof bytes));
	return error((int)write(file[of], &value, of == 4 || of == 5 ? sizeof value : 1));
}

static void wait_for_events(char *to, size_t size)
{
	struct epoll_event e[FILES + 2];
	int n = epoll_wait(epoll[draw("instance", INSTANCES)], e, draw("room", 4) ? FILES : 1, 0);
	int length = snprintf(to, size, "wait%s: %d:", drawn, n);

	for (int i = 0; i < n && length < (int)size; i++)
		length += snprintf(
			to + length, size - (size_t)length, " %u=%x", e[i].data.u32, e[i].events);
}

static int look_at_instance(void)
{
	struct pollfd p = {.fd = epoll[draw("instance", INSTANCES)], .events = POLLIN};

	assert(poll(&p, 1, 0) >= 0);
	return p.revents;
}

/* Another socket takes the place of the first one of the pair. */
static int accept_one(void)
{
	int fd = file[10] < 0 ? -1 : accept4(file[10], NULL, NULL, SOCK_NONBLOCK);

	if (fd < 0)
		return file[10] < 0 ? 0 : -errno;
	if (file[6] >= 0)
		close(file[6]);
	file[6] = fd;
	return 0;
}

static int connect_one(void)
{
	int i = draw("client", 2), of = 11 + i;

	if (file[of] < 0 || connected[i])
		return 0;
	connected[i] = true;
	return error(connect(file[of], (struct sockaddr *)&address, ADDRESS));
}

static int end(void)
{
	int of = draw("file", FILES);

	if (file[of] < 0 || below(4))
		return 0;
	close(file[of]);
	file[of] = -1;
	return 1;
}

static void call(int i, char *to)
{
	static const char *const words[] = {
		"add", "change", "write", "read", "look", "shut", "close", "accept", "connect"};
	static const int kinds[] = {0, 0, 0, 1, 2, 2, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8};
	unsigned kind = below(22);
	int result, what;

	if (kind >= sizeof kinds / sizeof *kinds) {
		wait_for_events(to, LINE);
		return;
	}
	what = i < 6 ? 0 : kinds[kind];
	switch (what) {
	case 0: result = control(i); break;
	case 1: result = change(); break;
	case 2: result = transfer(true); break;
	case 3: result = transfer(false); break;
	case 4: result = look_at_instance(); break;
	case 5:
		result = below(4) ? 0 : error(shutdown(file[6 + draw("pair", 4)], draw("how", 3)));
		break;
	case 6: result = end(); break;
	case 7: result = accept_one(); break;
	default: result = connect_one();
	}
	snprintf(to, LINE, "%s%s: %d", words[what], drawn, result);
}

int main(int argc, char **argv)
{
	return sequences("epoll", "dfs", argc, argv);
}
