/* SPDX-License-Identifier: ISC */
/* A thread writes to a log that another one closes. WRONG: before the thread has ended, and its line may get into the
 * file that has been opened meanwhile.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict -DWRONG rc11 race -- --strategy graph
 * verdict -DWRONG tso assertion -- --strategy graph --races ignore
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"
#include "file.h"

static int fd;

static void *say(void *arg)
{
	write(fd, "line", 4);
	return arg;
}

int main(void)
{
	char path[80], other[80];
	struct stat s;
	pthread_t t;

	name_file(path, "log");
	name_file(other, "other");
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	t = start(say, NULL);
#ifndef WRONG
	join(t);
#endif
	assert(!close(fd) && open(other, O_WRONLY | O_CREAT, 0600) == fd);
#ifdef WRONG
	join(t);
#endif
	assert(!stat(other, &s) && s.st_size == 0);
	return 0;
}
