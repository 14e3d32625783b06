/* SPDX-License-Identifier: ISC */
/* A program reads its standard input, which another thread writes: dup2() of a pipe. WRONG: the end that writes is
 * not closed, so that the input has no end.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok -- --strategy random --executions 500
 * verdict -DSTREAM rc11 ok complete -- --strategy graph
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG -DSTREAM sc deadlock
 */
#include "kernel.h"

static int ends[2];

static void *feed(void *arg)
{
	assert(write(ends[1], "1 2", 3) == 3 && write(ends[1], "0\n", 2) == 2);
#ifndef WRONG
	close(ends[1]);
#endif
	return arg;
}

int main(void)
{
	int first = 0, second = 0;
	pthread_t t;

	assert(!pipe(ends) && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO && !close(ends[0]));
	t = start(feed, NULL);
#ifdef STREAM
	assert(scanf("%d %d", &first, &second) == 2);
	assert(getchar() == '\n' && getchar() == EOF && feof(stdin));
#else
	char text[16] = "";
	size_t n = 0;
	ssize_t part;

	while ((part = read(STDIN_FILENO, text + n, sizeof text - 1 - n)) > 0)
		n += (size_t)part;
	assert(part == 0 && sscanf(text, "%d %d", &first, &second) == 2);
#endif
	assert(first == 1 && second == 20);
	join(t);
	return 0;
}
