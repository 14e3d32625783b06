/* SPDX-License-Identifier: ISC */
/* file.h - for programs whose threads share files. */
#ifndef TESTS_KERNEL_FILE_H
#define TESTS_KERNEL_FILE_H

#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* The path of a file that is not there. */
static inline void name_file(char path[80], const char *what)
{
	struct stat s;

	snprintf(path, 80, "/tmp/heddle-kernel-%s", what);
	assert(stat(path, &s) == -1 && errno == ENOENT && access(path, F_OK) == -1);
}

static inline void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ssize_t n = (ssize_t)strlen(text);

	assert(fd >= 0 && write(fd, text, (size_t)n) == n && !close(fd));
}

/* How much there is; -1: no file. */
static inline ssize_t read_file(const char *path, char *to, size_t room)
{
	int fd = open(path, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, to, room);
	close(fd);
	return n;
}

#endif
