/* SPDX-License-Identifier: ISC */
/* output.c - the documents of a command line (opt.h), opened before anything is run. */
#include "option/opt.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "die.h"

static FILE *open_output(const char *path, struct outputs *to)
{
	FILE *f;

	if (!path)
		return NULL;
	if (!strcmp(path, "-")) {
		if (!to->text)
			die("only one document can go to standard output");
		to->text = NULL;
		return stdout;
	}
	f = fopen(path, "we");
	if (!f)
		die("%s: cannot be written: %s", path, strerror(errno));
	return f;
}

/* Does the path name a folder: one that exists, or by a slash at its end? */
static bool is_folder(const char *path)
{
	struct stat st;

	return path && *path &&
	       (path[strlen(path) - 1] == '/' || (stat(path, &st) == 0 && S_ISDIR(st.st_mode)));
}

/* Made if it is missing. */
static const char *open_folder(const char *path)
{
	if ((mkdir(path, 0777) != 0 && errno != EEXIST) || access(path, W_OK | X_OK) != 0)
		die("%s: cannot be written: %s", path, strerror(errno));
	return path;
}

/* Checked before the exploration, not after it. The file keeps its contents until then. */
static void must_be_writable(const char *path)
{
	bool is_there = access(path, F_OK) == 0;
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0)
		die("%s: cannot be written: %s", path, strerror(errno));
	close(fd);
	if (!is_there)
		unlink(path);
}

struct outputs settings_outputs(const struct settings *s)
{
	struct outputs to = {.text = stdout};

	if (s->patch)
		must_be_writable(s->patch);
	if (s->explore.checkpoint[0])
		must_be_writable(s->explore.checkpoint);
	to.json = open_output(s->json, &to);
	to.junit = open_output(s->junit, &to);
	to.sarif = open_output(s->sarif, &to);
	if (is_folder(s->html))
		to.html_folder = open_folder(s->html);
	else
		to.html = open_output(s->html, &to);
	if (s->annotate)
		to.annotate = to.text ? stdout : stderr;
	return to;
}
