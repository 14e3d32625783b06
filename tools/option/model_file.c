/* SPDX-License-Identifier: ISC */
/* model_file.c - see model_file.h. */
#include "option/model_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "die.h"
#include "model/model.h"
#include "path.h"

#define FILE_MOST (1 << 20)

const char *model_file_folder(void)
{
	static char folder[PATH_MAX];
	char self[PATH_MAX - 40];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *near;

	if (folder[0])
		return folder;
	if (n < 0)
		return NULL;
	self[n] = 0;
	*strrchr(self, '/') = 0;
	near = xprintf("%s/../share/heddle/models", self);
	return realpath(near, folder) ? folder : NULL;
}

const char *model_file_named(const char *name)
{
	const char *folder = model_file_folder();
	char *path;

	if (!folder || !*name || strchr(name, '/') || strchr(name, '.') || model_named(name))
		return name;
	path = xprintf("%s/%s.cat", folder, name);
	return access(path, R_OK) == 0 ? path : name;
}

/* The whole file, which stays. */
static bool read_model_text(const char *path, struct source *to)
{
	int fd = path_open(path);
	struct stat st;
	char *text;
	ssize_t n;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) != 0 || st.st_size > FILE_MOST) {
		close(fd);
		errno = EFBIG;
		return false;
	}
	text = xmalloc((size_t)st.st_size + 1);
	n = read(fd, text, (size_t)st.st_size);
	close(fd);
	if (n < 0)
		return false;
	to->text = text;
	to->n = (u32)n;
	return true;
}

/* Beside the model's own file (ctx), else among the installed ones. */
static bool read_model(void *ctx, const char *from, const char *name, struct source *to)
{
	const char *own = ctx, *slash = from ? strrchr(own, '/') : NULL;
	char *beside;

	if (!slash || name[0] == '/')
		beside = xstrdup(name);
	else
		beside = xprintf("%.*s/%s", (int)(slash - own), own, name);
	if (read_model_text(beside, to))
		return true;
	return from && model_file_folder() &&
	       read_model_text(xprintf("%s/%s", model_file_folder(), name), to);
}

/* "FILE:LINE:COLUMN: message", the line, and a caret below it. */
char *model_file_mistake(const struct cat_error *err)
{
	struct cat_where w = cat_where(err->source, err->at);
	char *line = xprintf("%.*s", (int)(w.n < 160 ? w.n : 160), w.line), *caret;
	size_t at = w.column - 1 < strlen(line) ? w.column - 1 : strlen(line);

	caret = xmalloc(at + 1);
	for (size_t i = 0; i < at; i++)
		caret[i] = line[i] == '\t' ? '\t' : ' ';
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < ' ' && *c != '\t')
			*c = '?';
	return xprintf("%s:%u:%u: %s\n    %s\n    %s^", w.file, w.number, w.column, err->message,
		line, caret);
}

struct cat *model_file_read(const char *path)
{
	const struct cat_files files = {.read = read_model, .ctx = (void *)(uintptr_t)path};
	struct cat *c = xmalloc(sizeof(*c));
	struct cat_error err;

	if (cat_read(c, xmalloc(CAT_MEMORY), &files, path, &err))
		return c;
	if (!err.source)
		die("%s: %s", path, strerror(errno));
	fprintf(stderr, "heddle: %s\n", model_file_mistake(&err));
	exit(EXIT_USAGE);
}
