/* SPDX-License-Identifier: ISC */
/* poll() for a second, of what comes after two. WRONG: it is expected in time.
 *
 * verdict rc11 ok complete -- --strategy graph --sleepers last
 * verdict tso ok complete -- --strategy graph --sleepers last
 * verdict sc ok -- --strategy dfs --sleepers last
 * verdict -DWRONG rc11 assertion -- --strategy graph --sleepers last
 * verdict -DWRONG sc assertion -- --strategy dfs --sleepers last
 */
#include "kernel.h"

static int fd[2];

static void *post(void *arg)
{
	sleep(2);
	assert(write(fd[1], "x", 1) == 1);
	return NULL;
}

int main(void)
{
	struct pollfd p = {.events = POLLIN};
	pthread_t t;

	assert(!pipe(fd));
	p.fd = fd[0];
	t = start(post, NULL);
#ifdef WRONG
	assert(poll(&p, 1, 1000) == 1);
#else
	assert(poll(&p, 1, 1000) == 0);
	assert(poll(&p, 1, 1500) == 1);
#endif
	join(t);
	return 0;
}
