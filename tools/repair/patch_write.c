/* SPDX-License-Identifier: ISC */
/* patch_write.c - the changes of a patch as a diff: insertions around statements, lines of their
 * own where the text has them. */
#include "repair/patch_priv.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"

/* --- lines ------------------------------------------------------------------------------------ */

/* Is only white space before the token in its line? *from: the beginning of the line, *indent: the
 * length of the white space. */
static bool begins_line(const struct csource *s, u32 token, u32 *from, int *indent)
{
	*from = s->token[token].at;
	while (*from && s->text[*from - 1] != '\n')
		--*from;
	for (*indent = 0; strchr(" \t", s->text[*from + (u32)*indent]);)
		++*indent;
	return *from + (u32)*indent == s->token[token].at;
}

/* Are only comments after the token in its line? *to: the beginning of the next line. */
static bool ends_line(const struct csource *s, u32 token, u32 *to)
{
	u32 next = token + 1 < s->ntokens ? s->token[token + 1].at : s->n;
	const char *end = memchr(s->text + token_end(s, token), '\n', s->n - token_end(s, token)),
		   *open;

	if (!end || end >= s->text + next)
		return false;
	open = memmem(s->text + token_end(s, token), (size_t)(end - s->text) - token_end(s, token),
		"/*", 2);
	*to = (u32)(end - s->text) + 1;
	return !open || memmem(open, (size_t)(end - open), "*/", 2);
}

/* "a; b; " as lines with this indentation. */
static char *as_lines(const char *fences, const char *indent, int n)
{
	char *all = xstrdup("");

	while (*fences) {
		const char *end = strstr(fences, "; ");

		all = xprintf("%s%.*s%.*s\n", all, n, indent, (int)(end + 1 - fences), fences);
		fences = end + 2;
	}
	return all;
}

static int depth_of(const struct csource *s, const struct statement *x)
{
	int n = 0;

	for (; x->parent >= 0; x = &s->statement[x->parent])
		n++;
	return n;
}

static char *without_space(const char *s)
{
	return xprintf("%.*s", (int)strlen(s) - 1, s);
}

/* --- changes ---------------------------------------------------------------------------------- */

/* Turn the insertions around a statement into changes. */
static void place_around(struct file *f, const struct around *a)
{
	const struct csource *s = f->source;
	u32 start = s->token[a->of->first].at, end = token_end(s, a->of->last), line = 0, next = 0;
	int depth = depth_of(s, a->of), indent;
	bool braces = a->of->bare && (a->before || a->after);
	bool own = begins_line(s, a->of->first, &line, &indent);

	if (a->remove && own && ends_line(s, a->of->last, &next) && !a->of->bare && !a->before &&
		!a->after) {
		patch_change(f, line, next - line, 0, xstrdup(""));
		return;
	}
	if (a->remove)
		patch_change(f, start, end - start, 0, xstrdup(a->of->bare ? ";" : ""));
	if (a->before && own && !braces)
		patch_change(f, line, 0, depth, as_lines(a->before, s->text + line, indent));
	else if (a->before || braces)
		patch_change(f, start, 0, depth,
			xprintf("%s%s", braces ? "{ " : "", a->before ? a->before : ""));
	if (a->after && !braces && ends_line(s, a->of->last, &next))
		patch_change(
			f, next, 0, RANK_AFTER - depth, as_lines(a->after, s->text + line, indent));
	else if (a->after || braces) {
		patch_change(f, end, 0, RANK_AFTER - depth,
			xprintf(" %s%s",
				a->after ? braces ? a->after : without_space(a->after) : "",
				braces ? "}" : ""));
	}
}

/* A fence by its C11 name requires the header. */
static void place_header(struct file *f)
{
	const struct csource *s = f->source;
	const char *include = s->text, *at = NULL;

	if (!f->fence || strstr(s->text, f->cxx ? "<atomic>" : "stdatomic.h") ||
		strstr(s->text, "memory_order_"))
		return;
	while ((include = strstr(include, "#include")))
		at = include++;
	at = at ? strchr(at, '\n') : NULL;
	patch_change(f, at ? (u32)(at + 1 - s->text) : 0, 0, RANK_HEADER,
		xstrdup(f->cxx ? "#include <atomic>\n" : "#include <stdatomic.h>\n"));
}

/* --- paths ------------------------------------------------------------------------------------ */

/* Remove ".."; links stay. */
static const char *path_whole(const char *path)
{
	char whole[PATH_MAX];

	if (strncmp(path, "../", 3) && !strstr(path, "/../"))
		return path;
	return realpath(path, whole) ? xstrdup(whole) : path;
}

/* Is a changed file not below the current directory? Then all paths are relative to the root. */
bool patch_is_from_root(const struct patch *p)
{
	for (u32 i = 0; i < p->nfiles; i++)
		if ((p->file[i].nchanges || p->file[i].naround) &&
			*path_here(path_whole(p->file[i].source->path)) == '/')
			return true;
	return false;
}

/* The path of a file for patch(1). */
static const char *path_in_patch(const struct patch *p, const char *path)
{
	char whole[PATH_MAX];

	path = path_whole(path);
	if (!patch_is_from_root(p))
		return path_here(path);
	if (*path != '/' && realpath(path, whole))
		path = xstrdup(whole);
	return *path == '/' ? path + 1 : path;
}

/* --- the diff --------------------------------------------------------------------------------- */

unsigned patch_write(const struct patch *p, FILE *out)
{
	unsigned n = 0;

	for (u32 i = 0; i < p->nfiles; i++) {
		struct file f = p->file[i];

		f.change = xmalloc((f.nchanges + 1) * sizeof(*f.change));
		if (f.nchanges)
			memcpy(f.change, p->file[i].change, f.nchanges * sizeof(*f.change));
		for (u32 k = 0; k < f.naround; k++)
			place_around(&f, &f.around[k]);
		if (f.nchanges || f.naround)
			place_header(&f);
		n += diff_write(path_in_patch(p, f.source->path), f.source->text, f.source->n,
			f.change, f.nchanges, out);
	}
	return n;
}

char *patch_text(const struct patch *p)
{
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		die("not enough memory");
	patch_write(p, f);
	fclose(f);
	return text;
}
