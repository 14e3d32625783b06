/* SPDX-License-Identifier: ISC */
/* standard.c - see standard.h. */
#include "standard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "die.h"

static const int ignored[] = {SIGPIPE, SIGXFSZ};
static struct sigaction before[array_size(ignored)];

static bool reader_is_gone(void)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

	return poll(&out, 1, 0) == 1 && out.revents & POLLERR;
}

static void at_exit(void)
{
	bool failed = ferror(stdout);

	errno = 0;
	if (fflush(stdout) == 0 && !failed)
		return;
	if (errno == EPIPE || reader_is_gone())
		return;
	warn("cannot write to standard output: %s", errno ? strerror(errno) : "no room left?");
	_exit(EXIT_USAGE);
}

void standard_open(void)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
	for (size_t i = 0; i < array_size(ignored); i++)
		sigaction(ignored[i], &ignore, &before[i]);
	atexit(at_exit);
}

void standard_restore(void)
{
	for (size_t i = 0; i < array_size(ignored); i++)
		sigaction(ignored[i], &before[i], NULL);
}
