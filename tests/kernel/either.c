/* SPDX-License-Identifier: ISC */
/* select() on two pipes: either may be ready first, or both. WRONG: it does not check which.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock -- --strategy random
 */
#include "kernel.h"

static int fd[2][2];

static void *produce(void *arg)
{
	assert(write(fd[(intptr_t)arg][1], "x", 1) == 1);
	return NULL;
}

static int take(const fd_set *in, int i)
{
	char c;

#ifndef WRONG
	if (!FD_ISSET(fd[i][0], in))
		return 0;
#endif
	return read(fd[i][0], &c, 1) == 1;
}

int main(void)
{
	pthread_t t[2];
	int n = 0;

	assert(!pipe(fd[0]) && !pipe(fd[1]));
	for (intptr_t i = 0; i < 2; i++)
		t[i] = start(produce, (void *)i);
	while (n < 2) {
		fd_set in;

		FD_ZERO(&in);
		FD_SET(fd[0][0], &in);
		FD_SET(fd[1][0], &in);
		assert(select(fd[1][1], &in, NULL, NULL, NULL) > 0);
		n += take(&in, 0);
#ifndef WRONG
		n += take(&in, 1);
#endif
	}
	join(t[0]);
	join(t[1]);
	return 0;
}
