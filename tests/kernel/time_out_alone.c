/* SPDX-License-Identifier: ISC */
/* poll() times out where no other thread sleeps. WRONG: a thread that has not run yet writes.
 *
 * verdict rc11 ok complete -- --strategy graph --sleepers last
 * verdict tso ok complete -- --strategy graph --sleepers last
 * verdict sc ok complete -- --strategy dfs --sleepers last
 * verdict -DWRONG rc11 assertion -- --strategy graph --sleepers last
 * verdict -DWRONG sc assertion -- --strategy dfs --sleepers last
 */
#include "kernel.h"

static int fd[2];
static atomic_int seen;

static void *post(void *arg)
{
	seen = 1;
#ifdef WRONG
	assert(write(fd[1], "x", 1) == 1);
#endif
	return NULL;
}

int main(void)
{
	struct pollfd p = {.events = POLLIN};
	pthread_t t;

	assert(!pipe(fd));
	p.fd = fd[0];
	t = start(post, NULL);
	assert(poll(&p, 1, 1000) == 0 && seen);
	join(t);
	return 0;
}
