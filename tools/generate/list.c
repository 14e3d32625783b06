/* SPDX-License-Identifier: ISC */
/*
 * list.c - see list.h.
 *
 * The macros of <heddle/generate.h> leave string literals behind the preprocessor: "heddle
 * generate: ", the kind, ": ", and the text. So a list may use macros and conditions as any C file,
 * and what the compiler sees is what is read.
 */
#include "generate/list.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "program/compiler.h"

static const char mark[] = "\"heddle generate: \"";

/* --- words ----------------------------------------------------------------------------------- */

static char *trim_word(char *s)
{
	size_t n;

	s += strspn(s, " \t\n");
	n = strlen(s);
	while (n && isspace((unsigned char)s[n - 1]))
		s[--n] = 0;
	return s;
}

/* The end of a string or character literal that begins here. */
static char *end_of_literal(char *s)
{
	char quote = *s++;

	while (*s && *s != quote)
		s += *s == '\\' && s[1] ? 2 : 1;
	return *s ? s + 1 : s;
}

/* Take the next part of a text that commas separate, outside of brackets and quotes; NULL: none. */
static char *next_part(char **rest)
{
	char *part = *rest, *s = part;
	int depth = 0;

	if (!part || !*trim_word(part))
		return NULL;
	while (*s && (*s != ',' || depth)) {
		depth += *s == '(' || *s == '[' || *s == '{';
		depth -= *s == ')' || *s == ']' || *s == '}';
		s = *s == '"' || *s == '\'' ? end_of_literal(s) : s + 1;
	}
	*rest = *s ? s + 1 : NULL;
	*s = 0;
	return trim_word(part);
}

static size_t identifier_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n && !isdigit((unsigned char)s[0]) ? n : 0;
}

/* --- an operation ---------------------------------------------------------------------------- */

/* 7, or 2..4 */
static bool read_values(struct argument *a)
{
	char *end;

	errno = 0;
	a->from = a->to = strtol(a->text, &end, 0);
	if (end == a->text || errno)
		return false;
	if (!strncmp(end, "..", 2) && end[2])
		a->to = strtol(end + 2, &end, 0);
	return !*end && !errno;
}

static struct argument read_argument(const struct list *l, const char *in, char *text)
{
	struct argument a = {ARGUMENT_TEXT, text, 0, 0};

	if (!strcmp(text, "new"))
		a.kind = ARGUMENT_NEW;
	else if (read_values(&a))
		a.kind = ARGUMENT_VALUES;
	if (a.from > a.to || a.to - a.from > 99)
		die("%s: `%s': wanted values as in 2..4, at most 100", l->path, in);
	return a;
}

static struct operation read_operation(const struct list *l, char *text)
{
	const char *whole = xstrdup(text);
	size_t n = identifier_length(text);
	struct operation o = {.name = xprintf("%.*s", (int)n, text)};
	char *open, *close = text + strlen(text) - 1, *part;

	o.function = trim_word(text + n);
	o.function = *o.function == ':' ? trim_word(o.function + 1) : o.name;
	open = strchr(text + n, '(');
	if (!n || !open || *close != ')' || (o.function != o.name && open == o.function))
		die("%s: `%s': wanted NAME(ARGUMENTS) or NAME: FUNCTION(ARGUMENTS)", l->path,
			whole);
	*open++ = 0;
	*close = 0;
	o.function = trim_word(o.function);
	if (o.function == o.name && *trim_word(text + n))
		die("%s: `%s': wanted NAME(ARGUMENTS) or NAME: FUNCTION(ARGUMENTS)", l->path,
			whole);
	while ((part = next_part(&open))) {
		if (o.n == ARGUMENTS_MAX)
			die("%s: `%s': more than %d arguments", l->path, whole, ARGUMENTS_MAX);
		o.argument[o.n++] = read_argument(l, whole, part);
	}
	return o;
}

static struct thread_role read_role(const struct list *l, char *text)
{
	struct thread_role r = {.once = false};
	char *part;

	while ((part = next_part(&text))) {
		r.operation = xgrow(r.operation, (r.n + 1) * sizeof(*r.operation));
		r.operation[r.n++] = read_operation(l, part);
	}
	return r;
}

/* --- the file -------------------------------------------------------------------------------- */

/* Take the string literal that comes next; it is changed in place. */
static char *take_literal(char **at)
{
	char *s = *at + strspn(*at, " \t\n"), *to = s, *text = s;

	if (*s++ != '"')
		return NULL;
	while (*s && *s != '"') {
		s += *s == '\\' && s[1];
		*to++ = *s++;
	}
	*at = *s ? s + 1 : s;
	*to = 0;
	return text;
}

static void take_entry(struct list *l, const char *kind, char *text)
{
	if (!strcmp(kind, "specification")) {
		l->specified = true;
	} else if (!strcmp(kind, "setup")) {
		l->setup = true;
	} else if (!strcmp(kind, "before")) {
		l->before = read_role(l, text);
	} else if (!strcmp(kind, "after")) {
		l->after = read_role(l, text);
	} else {
		l->role = xgrow(l->role, (l->nroles + 1) * sizeof(*l->role));
		l->role[l->nroles] = read_role(l, text);
		l->role[l->nroles++].once = !strcmp(kind, "thread");
	}
}

static char *read_source_file(const char *path)
{
	FILE *f = fopen(path, "re");
	size_t room = 1 << 16, n = 0, got;
	char *text = xmalloc(room);

	if (!f)
		die("%s: %s", path, strerror(errno));
	while ((got = fread(text + n, 1, room - 1 - n, f)) > 0) {
		n += got;
		if (n == room - 1)
			text = xgrow(text, room *= 2);
	}
	text[n] = 0;
	fclose(f);
	return text;
}

/* The file after the preprocessor. */
static char *preprocess(const char *path, char *const *arguments, const char *folder)
{
	const char *source = xprintf("%s/list.c", folder), *out = xprintf("%s/list.i", folder);
	const char *const words[] = {"-E", "-P", "-w", source, NULL};
	FILE *f = fopen(source, "we");
	char *text;

	if (!f || fprintf(f, "#include \"%s\"\n", path) < 0 || fclose(f) != 0)
		die("%s: %s", source, strerror(errno));
	if (!compiler_run(words, arguments, out))
		die("generate: the list does not compile: see above");
	text = read_source_file(out);
	unlink(source);
	unlink(out);
	return text;
}

struct list list_read(const char *path, char *const *arguments, const char *folder)
{
	struct list l = {.path = (char *)path};
	char whole[PATH_MAX], *at, *kind, *text;

	if (!realpath(path, whole) || access(whole, R_OK) != 0)
		die("%s: %s", path, strerror(errno));
	at = preprocess(whole, arguments, folder);
	while ((at = strstr(at, mark))) {
		take_literal(&at);
		kind = take_literal(&at);
		if (!kind || !take_literal(&at) || !(text = take_literal(&at)))
			continue;
		take_entry(&l, kind, text);
	}
	for (unsigned i = 0; i < l.nroles; i++)
		if (!l.role[i].n)
			die("%s: HEDDLE_THREADS without operations", path);
	if (!l.nroles)
		die("%s: no HEDDLE_THREADS or HEDDLE_THREAD: which operations do threads have? "
		    "(heddle help clients)",
			path);
	return l;
}
