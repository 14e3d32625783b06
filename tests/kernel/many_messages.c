/* SPDX-License-Identifier: ISC */
/* sendmmsg() and recvmmsg(), by libc and by syscall(); fstat() and lseek() of sockets and pipes. WRONG:
 * all messages are expected at once.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG tso assertion
 */
#include "kernel.h"
#include <sys/stat.h>
#include <sys/syscall.h>

static int pair[2];

static void *receive(void *arg)
{
	char c[2];
	struct iovec v[2] = {{&c[0], 1}, {&c[1], 1}};
	struct mmsghdr m[2] = {{{.msg_iov = &v[0], .msg_iovlen = 1}, 0}, {{.msg_iov = &v[1], .msg_iovlen = 1}, 0}};
	int n = recvmmsg(pair[1], m, 2, MSG_WAITFORONE, NULL);

#ifdef WRONG
	assert(n == 2);
#else
	if (n == 1)
		assert(recvmmsg(pair[1], m + 1, 1, 0, NULL) == 1);
#endif
	assert(c[0] == 'a' && c[1] == 'b' && m[1].msg_len == 1);
	return NULL;
}

int main(void)
{
	struct iovec v[2] = {{"a", 1}, {"b", 1}};
	struct mmsghdr m[2] = {{{.msg_iov = &v[0], .msg_iovlen = 1}, 0}, {{.msg_iov = &v[1], .msg_iovlen = 1}, 0}};
	struct stat s;
	pthread_t t;
	int p[2];

	assert(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) && !pipe(p));
	assert(!fstat(pair[0], &s) && S_ISSOCK(s.st_mode) && !fstat(p[0], &s) && S_ISFIFO(s.st_mode));
	assert(lseek(p[0], 0, SEEK_CUR) == -1 && errno == ESPIPE);
	t = start(receive, NULL);
	assert(syscall(SYS_sendmmsg, pair[0], m, 2, 0) == 2 && m[1].msg_len == 1);
	join(t);
	return 0;
}
