/* SPDX-License-Identifier: ISC */
/* path.c - see path.h. */
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "die.h"

const char *current_folder(void)
{
	static char path[PATH_MAX];

	if (!path[0] && !getcwd(path, sizeof(path)))
		strcpy(path, "/");
	return path;
}

const char *path_here(const char *path)
{
	const char *here = current_folder();
	size_t n = strlen(here);

	if (n > 1 && !strncmp(path, here, n) && path[n] == '/')
		path += n + 1;
	while (!strncmp(path, "./", 2))
		path += 2;
	return path;
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool path_matches(const char *glob, const char *path)
{
	for (path = path_here(path); path; path = strchr(path, '/')) {
		path += *path == '/';
		if (!fnmatch(glob, path, 0))
			return true;
	}
	return false;
}

const char *shell_word(const char *s)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "_-./+,:@%=";
	char *quoted = xmalloc(4 * strlen(s) + 3), *to = quoted;

	if (*s && strspn(s, safe) == strlen(s))
		return s;
	*to++ = '\'';
	for (; *s; s++) {
		if (*s == '\'')
			to = stpcpy(to, "'\\'");
		*to++ = *s;
	}
	strcpy(to, "'");
	return quoted;
}

int path_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}
