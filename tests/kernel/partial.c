/* SPDX-License-Identifier: ISC */
/* A write that does not block writes less than all when the pipe gets full. WRONG: its result is ignored.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"

#define SIZE 6000

static int fd[2];
static char out[SIZE], in[SIZE];

static void *take(void *arg)
{
	size_t n = 0;
	ssize_t part;

	while ((part = read(fd[0], in + n, SIZE - n)) > 0)
		n += (size_t)part;
	assert(n == SIZE);
	return NULL;
}

int main(void)
{
	struct pollfd p = {.events = POLLOUT};
	size_t n = 0;
	ssize_t part;
	pthread_t t;


	assert(!pipe(fd) && fcntl(fd[1], F_SETPIPE_SZ, 4096) == 4096);
	assert(!fcntl(fd[1], F_SETFL, O_NONBLOCK));
	p.fd = fd[1];
	t = start(take, NULL);
	while (n < SIZE) {
		part = write(fd[1], out + n, SIZE - n);
#ifdef WRONG
		n = SIZE;
#else
		if (part > 0)
			n += (size_t)part;
		else
			assert(errno == EAGAIN && poll(&p, 1, -1) == 1);
#endif
	}
	close(fd[1]);
	join(t);
	return 0;
}
