/* SPDX-License-Identifier: ISC */
/* Messages of two threads over one socket stay whole. WRONG: a stream does not keep them apart.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"

static int fd[2];

static void *say(void *arg)
{
	assert(send(fd[1], arg, 2, 0) == 2);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	char text[8];

#ifdef WRONG
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
#else
	assert(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd));
#endif
	t[0] = start(say, "aa");
	t[1] = start(say, "bb");
	for (int i = 0; i < 2; i++) {
		assert(recv(fd[0], text, sizeof text, 0) == 2);
		assert(text[0] == text[1]);
	}
	join(t[0]);
	join(t[1]);
	return 0;
}
