/* SPDX-License-Identifier: ISC */
/* A full pipe: the writer waits for the reader. WRONG: each of two threads writes more than there is
 * room for before it reads.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock -- --strategy random
 */
#include "kernel.h"

#define SIZE 3000

static int there[2], back[2];
static char sent[2][SIZE], got[2][SIZE];

static void read_all(int fd, char *to, size_t n)
{
	while (n) {
		ssize_t part = read(fd, to, n);

		assert(part > 0);
		to += part;
		n -= (size_t)part;
	}
}

static void *answer(void *arg)
{
#ifndef WRONG
	read_all(there[0], got[1], SIZE);
	read_all(there[0], got[1], SIZE);
#endif
	assert(write(back[1], sent[1], SIZE) == SIZE);
	assert(write(back[1], sent[1], SIZE) == SIZE);
#ifdef WRONG
	read_all(there[0], got[1], SIZE);
	read_all(there[0], got[1], SIZE);
#endif
	return NULL;
}

int main(void)
{
	pthread_t t;

	assert(!pipe(there) && !pipe(back));
	assert(fcntl(there[1], F_SETPIPE_SZ, 4096) == 4096 && fcntl(back[1], F_SETPIPE_SZ, 4096) == 4096);
	t = start(answer, NULL);
	assert(write(there[1], sent[0], SIZE) == SIZE);
	assert(write(there[1], sent[0], SIZE) == SIZE);
	read_all(back[0], got[0], SIZE);
	read_all(back[0], got[0], SIZE);
	join(t);
	return 0;
}
