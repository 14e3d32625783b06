/* SPDX-License-Identifier: ISC */
/* file_text.c - see file_text.h. */
#include "process/file_text.h"
#include "process/pages.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

char *file_text(const char *path, size_t most, size_t *n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text = NULL;
	struct stat st;
	ssize_t done = -1;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (size_t)st.st_size <= most)
		text = pages_take((size_t)st.st_size + 1);
	if (text)
		done = read(fd, text, (size_t)st.st_size);
	if (fd >= 0)
		close(fd);
	*n = done > 0 ? (size_t)done : 0;
	return done >= 0 ? text : NULL;
}
