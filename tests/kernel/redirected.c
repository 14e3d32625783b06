/* SPDX-License-Identifier: ISC */
/* dup2() of one pipe onto the other, which is thereby closed. WRONG: the descriptor is closed before, and
 * another thread may take its number.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 race -- --strategy graph
 * report -DWRONG rc11 "T1 opens it"
 * verdict -DWRONG tso assertion -- --strategy graph --races ignore
 */
#include "kernel.h"

static int from[2], to[2];

static void *take(void *arg)
{
	int fd = eventfd(0, EFD_NONBLOCK);
	uint64_t n;

	assert(read(fd, &n, sizeof n) == -1 && errno == EAGAIN);
	return NULL;
}

int main(void)
{
	pthread_t t;
	char c;

	assert(!pipe(from) && !pipe(to));
	t = start(take, NULL);
#ifdef WRONG
	close(to[1]);
#endif
	assert(dup2(from[1], to[1]) == to[1]);
	assert(write(to[1], "x", 1) == 1 && read(from[0], &c, 1) == 1);
	assert(read(to[0], &c, 1) == 0);
	join(t);
	return 0;
}
