/* SPDX-License-Identifier: ISC */
/* read_replay.c - replay files from disk. */
#include "replay/read_replay.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "die.h"

#define FILE_MAX (1u << 30) /* larger files are no replay files */

static void *allocate(void *ctx, size_t n)
{
	return xmalloc(n);
}

/* The whole file; on failure NULL and the reason. */
static char *read_whole(const char *path, size_t *n, const char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe may have no writer */
	struct stat st;
	char *bytes = NULL;
	ssize_t got = 1;

	*n = 0;
	*why = NULL;
	if (fd < 0 || fstat(fd, &st) != 0) {
		*why = strerror(errno);
		goto out;
	}
	if (S_ISDIR(st.st_mode)) {
		*why = "not a replay file (NAME.heddle), but a directory";
		goto out;
	}
	if (!S_ISREG(st.st_mode) || st.st_size > FILE_MAX) {
		*why = "not a replay file of heddle";
		goto out;
	}
	bytes = xmalloc((size_t)st.st_size);
	while (*n < (size_t)st.st_size && got > 0) {
		got = read(fd, bytes + *n, (size_t)st.st_size - *n);
		if (got > 0)
			*n += (size_t)got;
	}
	if (got < 0)
		*why = strerror(errno);
out:
	if (fd >= 0)
		close(fd);
	return *why ? NULL : bytes;
}

/* The trace, or NULL and a message. */
static const struct trace *load(const char *path, char **message)
{
	struct trace_memory memory = {allocate, NULL};
	struct trace *t = xmalloc(sizeof(*t));
	struct trace_err err;
	const char *why;
	size_t n;
	char *bytes = read_whole(path, &n, &why);

	if (!bytes) {
		*message = xprintf("%s: %s", path, why);
		return NULL;
	}
	if (trace_read(t, bytes, n, &memory, &err))
		return t;
	if (n >= SELFMAG && !memcmp(bytes, ELFMAG, SELFMAG)) {
		*message = xprintf(
			"%s: a program, not a replay file: `heddle run' writes these, NAME.heddle",
			path);
		return NULL;
	}
	*message = xprintf("%s:%u:%u: %s; make the file again with `heddle run'", path, err.line,
		err.column, err.message);
	return NULL;
}

const struct trace *load_trace(const char *path)
{
	char *message;
	const struct trace *t = load(path, &message);

	if (!t)
		die("%s", message);
	return t;
}

const struct trace *load_trace_or_warn(const char *path)
{
	char *message;
	const struct trace *t = load(path, &message);

	if (!t)
		warn("%s", message);
	return t;
}
