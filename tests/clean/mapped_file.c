/* SPDX-License-Identifier: ISC */
/* graph: none */
/* A file is written by system calls, and read where it is mapped: execution graphs do not represent
 * that. */
#define _GNU_SOURCE
#include "two.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE 8192

static int fd;
static volatile const int *file;

static void *writer(void *arg)
{
	int data = 7, ready = 1;

	assert(pwrite(fd, &data, sizeof data, 4096) == sizeof data);
	assert(pwrite(fd, &ready, sizeof ready, 0) == sizeof ready);
	return arg;
}

static void *reader(void *arg)
{
	if (file[0])
		assert(file[1024] == 7);
	return arg;
}

int main(void)
{
	fd = memfd_create("file", 0);
	assert(fd >= 0 && !ftruncate(fd, SIZE));
	file = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	assert(file != MAP_FAILED && !file[0]);
	two(writer, NULL, reader, NULL);
	puts("ok");
	return 0;
}
