/* SPDX-License-Identifier: ISC */
/* query_reader.c - see query_reader.h. */
#include "kater/query_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "option/model_file.h"

/* --- tokens ----------------------------------------------------------------------------------- */

void query_fail_at(const struct query_reader *r, u32 at, const char *format, ...)
{
	struct cat_error err = {.source = &r->source, .at = at};
	va_list ap;

	va_start(ap, format);
	vsnprintf(err.message, sizeof err.message, format, ap);
	va_end(ap);
	fprintf(stderr, "heddle: %s\n", model_file_mistake(&err));
	exit(EXIT_USAGE);
}

void query_advance(struct query_reader *r)
{
	const char *why = NULL;

	r->before = r->token.at + r->token.n;
	r->token = token_next(&r->source, &r->at, &why);
	/* Of claims only. */
	if (r->token.type == TOKEN_WRONG && strchr("<>:", r->source.text[r->token.at])) {
		r->token.type = (u8)r->source.text[r->token.at];
		r->token.n = 1;
		r->at = r->token.at + 1;
	}
	if (r->token.type == TOKEN_WRONG)
		query_fail_at(r, r->token.at, "%s", why);
}

const char *query_token_text(const struct query_reader *r)
{
	return xprintf("%.*s", (int)r->token.n, r->source.text + r->token.at);
}

bool query_is_word(const struct query_reader *r, const char *word)
{
	return r->token.n == strlen(word) &&
	       !memcmp(r->source.text + r->token.at, word, r->token.n);
}

bool query_take(struct query_reader *r, const char *word)
{
	if (!query_is_word(r, word))
		return false;
	query_advance(r);
	return true;
}

void query_want(struct query_reader *r, const char *word)
{
	if (!query_take(r, word))
		query_fail_at(r, r->token.at, "`%s' is expected here", word);
}

/* A pair of characters, each a token: `<=', `=>', `::'. */
bool query_take_pair(struct query_reader *r, const char *pair)
{
	u32 at = r->at;

	if (r->token.type != (u8)pair[0] || at >= r->source.n || r->source.text[at] != pair[1])
		return false;
	query_advance(r);
	query_advance(r);
	return true;
}

const char *query_take_name(struct query_reader *r, const char *what)
{
	const char *text = query_token_text(r);

	if (r->token.type != TOKEN_NAME)
		query_fail_at(r, r->token.at, "%s is expected here", what);
	query_advance(r);
	return text;
}

/* --- models ----------------------------------------------------------------------------------- */

struct kater_model *query_find_model(struct query_reader *r, const char *name)
{
	for (u32 i = r->nmodels; i--;)
		if (!strcmp(r->model[i].name, name))
			return &r->model[i];
	return NULL;
}

struct kater_model *query_add_model(
	struct query_reader *r, const char *name, const struct cat *c, const char *path)
{
	if (r->nmodels == MODELS)
		query_fail_at(r, r->token.at, "more than %d models", MODELS);
	r->model[r->nmodels] = (struct kater_model){.name = name, .c = c, .path = path};
	return &r->model[r->nmodels++];
}

/* Beside the file that names it. */
static const char *path_beside(const struct query_reader *r, const char *path)
{
	const char *slash = strrchr(r->source.name, '/');

	return slash && path[0] != '/'
		       ? xprintf("%.*s/%s", (int)(slash - r->source.name), r->source.name, path)
		       : path;
}

/* The installed file of a name; NULL: there is none. */
static const char *installed(const char *name)
{
	const char *folder = model_file_folder();
	const char *path = folder ? xprintf("%s/%s.cat", folder, name) : NULL;
	FILE *f = path ? fopen(path, "re") : NULL;

	if (!f)
		return NULL;
	fclose(f);
	return path;
}

static bool is_defined(const struct query_reader *r)
{
	for (u32 i = 0; i < r->nnames; i++)
		if (query_is_word(r, r->name[i].text))
			return true;
	return false;
}

/* A name of the file's own is not that of a model. */
bool query_is_model(struct query_reader *r)
{
	if (is_defined(r))
		return false;
	return r->token.type == TOKEN_STRING ||
	       (r->token.type == TOKEN_NAME && (query_find_model(r, query_token_text(r)) ||
						       installed(query_token_text(r))));
}

/* NAME, or "FILE.cat" */
struct kater_model query_model_named(struct query_reader *r)
{
	const char *text = query_token_text(r), *path;
	struct kater_model *m;

	if (r->token.type == TOKEN_STRING) {
		text = xprintf("%.*s", (int)strlen(text) - 2, text + 1);
		path = path_beside(r, text);
	} else if (r->token.type == TOKEN_NAME) {
		path = installed(text);
	} else {
		query_fail_at(r, r->token.at, "a model is expected here");
		abort();
	}
	m = query_find_model(r, text);
	if (!m && !path)
		query_fail_at(r, r->token.at,
			"no model `%s': a name of `heddle model list', or a file \"FILE.cat\"",
			text);
	query_advance(r);
	return m ? *m : *query_add_model(r, text, model_file_read(path), path);
}

static void leave_out(struct query_reader *r, struct kater_model *m)
{
	char name[80];
	u32 i = 0;

	for (; i < m->c->naxioms; i++) {
		cat_axiom_name(m->c, i, name);
		if (query_is_word(r, name))
			break;
	}
	if (i == m->c->naxioms)
		query_fail_at(
			r, r->token.at, "`%s' has no axiom `%s'", m->name, query_token_text(r));
	m->without |= 1ull << i;
	query_advance(r);
}

struct kater_model query_read_model(struct query_reader *r)
{
	struct kater_model m = query_model_named(r);

	if (!query_take(r, "without"))
		return m;
	do
		leave_out(r, &m);
	while (query_take(r, ","));
	return m;
}
