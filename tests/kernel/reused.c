/* SPDX-License-Identifier: ISC */
/* A descriptor is closed while another thread uses it. WRONG: its number is given to another pipe in
 * between, and the message goes astray.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 race -- --strategy graph
 * report -DWRONG rc11 "data race on descriptor 513"
 * verdict -DWRONG tso assertion -- --strategy graph --races ignore
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"

static int log_fd[2], other[2];

static void *say(void *arg)
{
	signal(SIGPIPE, SIG_IGN);
	write(log_fd[1], "log", 3);
	return NULL;
}

int main(void)
{
	pthread_t t;
	char text[8];

	assert(!pipe(log_fd));
	t = start(say, NULL);
#ifndef WRONG
	join(t);
#endif
	close(log_fd[0]);
	close(log_fd[1]);
	assert(!pipe2(other, O_NONBLOCK));
	assert(read(other[0], text, sizeof text) == -1);
#ifdef WRONG
	join(t);
	assert(read(other[0], text, sizeof text) == -1);
#endif
	return 0;
}
