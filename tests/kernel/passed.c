/* SPDX-License-Identifier: ISC */
/* A descriptor is passed in a message, and used under its new number. WRONG: the sender's own copy stays
 * open, so that the reader never sees the end.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG tso deadlock
 */
#include "kernel.h"

static int pair[2];

union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(int))];
};

static void *receive(void *arg)
{
	union control control;
	char c;
	struct iovec v = {&c, 1};
	struct msghdr m = {.msg_iov = &v,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof control};
	int fd;

	assert(recvmsg(pair[1], &m, 0) == 1 && c == 'd');
	assert(m.msg_controllen == sizeof control && control.head.cmsg_type == SCM_RIGHTS);
	memcpy(&fd, CMSG_DATA(&control.head), sizeof fd);
	assert(write(fd, "x", 1) == 1);
	close(fd);
	return NULL;
}

int main(void)
{
	union control control = {.head = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
	struct iovec v = {"d", 1};
	struct msghdr m = {.msg_iov = &v,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof control};
	pthread_t t;
	int p[2];
	char c;

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair) && !pipe(p));
	t = start(receive, NULL);
	memcpy(CMSG_DATA(&control.head), &p[1], sizeof p[1]);
	assert(sendmsg(pair[0], &m, 0) == 1);
#ifndef WRONG
	close(p[1]);
#endif
	assert(read(p[0], &c, 1) == 1 && c == 'x');
	assert(read(p[0], &c, 1) == 0);
	join(t);
	return 0;
}
