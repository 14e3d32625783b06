/* SPDX-License-Identifier: ISC */
/* place_words.c - see place_words.h. */
#include "program/place_words.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "program/elffile.h"
#include "source/symbol.h"

#define BASE 0x10000000u /* a base address for the module */

/* The name of a variable. */
static const char *variable_of(struct symbols *s, u64 address)
{
	struct variable v;

	return symbol_variable(s, address, 1, NULL, &v) ? v.name : NULL;
}

/* file.c:12 for this place of the module, or the variable there; NULL: not known. */
static const char *place_line(const char *path, u64 offset)
{
	struct trace_module *m = xmalloc(sizeof(*m));
	struct trace *t = xmalloc(sizeof(*t));
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const struct frames *f;
	struct symbols *s;
	const char *changed, *file;

	if (fd < 0)
		return NULL;
	*m = (struct trace_module){0, BASE, 1ull << 40, elf_inspect(fd).build_id, xstrdup(path)};
	close(fd);
	memset(t, 0, sizeof(*t));
	t->modules = m;
	t->nmodules = 1;
	s = symbols_open(t, &changed);
	f = symbol_frames(s, BASE + offset);
	for (unsigned i = 0; i < f->n; i++) {
		if (!f->at[i].file || !f->at[i].line)
			continue;
		file = strrchr(f->at[i].file, '/');
		return xprintf("%s:%d", file ? file + 1 : f->at[i].file, f->at[i].line);
	}
	return variable_of(s, BASE + offset);
}

/* The end of MODULE+0xOFFSET, which begins at s; NULL: it is none. */
static const char *parse(const char *s, char **path, u64 *offset)
{
	const char *plus = s, *end = s + strcspn(s, " ,;");
	char *rest;

	while ((plus = strstr(plus + 1, "+0x")) && plus < end) {
		*offset = strtoull(plus + 3, &rest, 16);
		if (rest > plus + 3 && rest <= end && (rest == end || *rest == ')')) {
			*path = xprintf("%.*s", (int)(plus - s), s);
			return rest;
		}
	}
	return NULL;
}

const char *place_words(const char *text)
{
	char *words = xstrdup(""), *path;

	while (*text) {
		size_t n = strcspn(text, "/");
		u64 offset = 0;
		const char *end = text[n] ? parse(text + n, &path, &offset) : NULL;
		const char *line = end ? place_line(path, offset) : NULL;

		if (!text[n])
			return xprintf("%s%s", words, text);
		if (!line)
			line = xprintf("%.*s", end ? (int)(end - text - (long)n) : 1, text + n);
		words = xprintf("%s%.*s%s", words, (int)n, text, line);
		text = end ? end : text + n + 1;
	}
	return words;
}
