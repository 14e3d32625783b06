/* SPDX-License-Identifier: ISC */
/* Two threads poll one pipe that does not block; one gets the byte. WRONG: EAGAIN is taken for an error.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"

static int fd[2];

static void *take(void *arg)
{
	struct pollfd p = {.fd = fd[0], .events = POLLIN};
	char c;

	assert(poll(&p, 1, 0) >= 0);
	if (p.revents && read(fd[0], &c, 1) != 1) {
#ifdef WRONG
		assert(0);
#endif
		assert(errno == EAGAIN);
	}
	return NULL;
}

int main(void)
{
	pthread_t t;

	assert(!pipe2(fd, O_NONBLOCK) && write(fd[1], "x", 1) == 1);
	t = start(take, NULL);
	take(NULL);
	join(t);
	return 0;
}
