/* SPDX-License-Identifier: ISC */
/* source.c - the excerpts of html.h: each file is read once, lines are marked and looked up. */
#include "html/html.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"

#define FILE_MAX  (4u << 20) /* bytes; a larger file is not shown */
#define FILES_MAX 200

struct source {
	char *path;
	char **line; /* line[1] .. line[n] */
	bool *wanted;
	int n;
};

struct excerpts {
	struct source file[FILES_MAX];
	unsigned n;
};

struct excerpts *excerpts_new(void)
{
	return xmalloc(sizeof(struct excerpts));
}

/* The lines of a file without their ends; none if it cannot be read. */
static void read_source_lines(struct source *s)
{
	int fd = path_open(s->path), room = 0;
	FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;
	size_t size = 0, total = 0;
	char *text = NULL;
	ssize_t got;

	while (f && (got = getline(&text, &size, f)) >= 0 && (total += (size_t)got) < FILE_MAX) {
		while (got && (text[got - 1] == '\n' || text[got - 1] == '\r'))
			text[--got] = 0;
		if (s->n + 2 > room) {
			room = 2 * room + 64;
			s->line = realloc(s->line, (size_t)room * sizeof(*s->line));
			if (!s->line)
				die("not enough memory");
		}
		s->line[++s->n] = xstrdup(text);
	}
	if (f)
		fclose(f);
	free(text);
	s->wanted = xmalloc((size_t)s->n + 1);
}

bool excerpts_add(struct excerpts *x, const char *file, int line, unsigned *number)
{
	unsigned i = 0;
	struct source *s;

	while (i < x->n && strcmp(x->file[i].path, file) != 0)
		i++;
	if (i == FILES_MAX)
		return false;
	s = &x->file[i];
	if (i == x->n) {
		x->n++;
		s->path = xstrdup(file);
		read_source_lines(s);
	}
	*number = i;
	if (line < 1 || line > s->n)
		return false;
	for (int k = line - EXCERPT_AROUND; k <= line + EXCERPT_AROUND; k++)
		if (k >= 1 && k <= s->n)
			s->wanted[k] = true;
	return true;
}

bool excerpts_file(const struct excerpts *x, unsigned n, const char **name)
{
	if (n >= x->n)
		return false;
	*name = path_here(x->file[n].path);
	return true;
}

const char *excerpts_line(const struct excerpts *x, unsigned file, int line)
{
	const struct source *s = &x->file[file];

	return line >= 1 && line <= s->n && s->wanted[line] ? s->line[line] : NULL;
}

int excerpts_last(const struct excerpts *x, unsigned file)
{
	return x->file[file].n;
}
