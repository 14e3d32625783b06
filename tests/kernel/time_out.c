/* SPDX-License-Identifier: ISC */
/* poll() with a time-out, which may end before the message comes. WRONG: that is not expected.
 *
 * verdict rc11 ok complete -- --strategy graph --timeouts 2
 * verdict sc ok complete
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"

static int fd[2];

static void *produce(void *arg)
{
	assert(write(fd[1], "x", 1) == 1);
	return NULL;
}

int main(void)
{
	struct pollfd p = {.events = POLLIN};
	pthread_t t;
	int n;

	assert(!pipe(fd));
	p.fd = fd[0];
	t = start(produce, NULL);
	n = poll(&p, 1, 100);
#ifdef WRONG
	assert(n == 1);
#else
	assert(n == 0 || (n == 1 && p.revents == POLLIN));
#endif
	join(t);
	assert(poll(&p, 1, 100) == 1);
	return 0;
}
