/* SPDX-License-Identifier: ISC */
/* A loop that is woken by a pipe which does not block: work is taken after the pipe has been read. WRONG: before, so
 * that a wake-up is lost.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG tso deadlock
 */
#include "kernel.h"

static int fd[2];
static atomic_int work;

static void *post(void *arg)
{
	work++;
	assert(write(fd[1], "", 1) == 1 || errno == EAGAIN);
	return NULL;
}

int main(void)
{
	struct pollfd p = {.events = POLLIN};
	char bytes[16];
	pthread_t t[2];
	int done = 0;

	assert(!pipe2(fd, O_NONBLOCK));
	p.fd = fd[0];
	for (int i = 0; i < 2; i++)
		t[i] = start(post, NULL);
	while (done < 2) {
		assert(poll(&p, 1, -1) == 1);
#ifdef WRONG
		done += atomic_exchange(&work, 0);
#endif
		while (read(fd[0], bytes, sizeof bytes) == sizeof bytes)
			;
#ifndef WRONG
		done += atomic_exchange(&work, 0);
#endif
	}
	for (int i = 0; i < 2; i++)
		join(t[i]);
	return 0;
}
