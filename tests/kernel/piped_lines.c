/* SPDX-License-Identifier: ISC */
/* Threads print whole lines to a pipe. WRONG: a line is two calls, and lines are mixed.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"

static int end[2];

static void *say(void *name)
{
#ifdef WRONG
	dprintf(end[1], "%s", (char *)name);
	dprintf(end[1], " is here\n");
#else
	dprintf(end[1], "%s is here\n", (char *)name);
#endif
	return NULL;
}

int main(void)
{
	char text[32] = "";
	pthread_t t[2];

	assert(!pipe(end));
	t[0] = start(say, "one");
	t[1] = start(say, "two");
	join(t[0]);
	join(t[1]);
	assert(read(end[0], text, sizeof text) == 24 && text[11] == '\n');
	return 0;
}
