/* SPDX-License-Identifier: ISC */
/* A number in a file is raised under flock(). WRONG: with a shared lock.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"
#include "file.h"

static char path[80];

static void *raise_number(void *arg)
{
	int fd = open(path, O_RDWR);
	char digit;

	assert(fd >= 0);
#ifndef WRONG
	assert(!flock(fd, LOCK_EX));
#else
	assert(!flock(fd, LOCK_SH));
#endif
	assert(pread(fd, &digit, 1, 0) == 1);
	digit++;
	assert(pwrite(fd, &digit, 1, 0) == 1);
	close(fd); /* unlocks */
	return arg;
}

int main(void)
{
	pthread_t t[2];
	char digit;

	name_file(path, "number");
	write_file(path, "0");
	for (int i = 0; i < 2; i++)
		t[i] = start(raise_number, NULL);
	for (int i = 0; i < 2; i++)
		join(t[i]);
	assert(read_file(path, &digit, 1) == 1 && digit == '2');
	return 0;
}
