/* SPDX-License-Identifier: ISC */
/* reader.c - reading a model: its files' tokens, and mistakes. See reader.h, cat.h. */
#include "cat/reader.h"

#include "base/text.h"
#include "cat/analysis.h"

/* --- mistakes --------------------------------------------------------------------------------- */

static void put_printable(struct text *t, const char *s, u32 n)
{
	for (u32 i = 0; i < n && i < 50; i++)
		text_char(t, s[i] >= ' ' && s[i] < 127 ? s[i] : '?');
	if (n > 50)
		text_put(t, "...");
}

/* message, with the text at the place for "%". */
static void set_error(
	struct cat_reader *r, const struct source *s, u32 at, u32 n, const char *message)
{
	struct text t = text_begin(r->err->message, sizeof r->err->message);

	for (; *message; message++) {
		if (*message == '%')
			put_printable(&t, s->text + at, n);
		else
			text_char(&t, *message);
	}
	r->err->source = s;
	r->err->at = at;
	r->failed = true;
}

void reader_refuse(struct cat_reader *r, u32 token, const char *message)
{
	const struct token *t = &r->c->token[token];

	if (!r->failed)
		set_error(r, &r->c->source[t->source], t->at, t->n, message);
}

bool reader_accept(struct cat_reader *r, u8 type)
{
	if (reader_type(r) != type || r->failed)
		return false;
	r->at++;
	return true;
}

u32 reader_expect(struct cat_reader *r, u8 type)
{
	char message[80], words[8];
	struct text t = text_begin(message, sizeof message);

	if (!r->failed && reader_type(r) == type)
		return r->at++;
	text_put(&t, "wanted ");
	text_put(&t, token_words(type, words));
	text_put(&t, reader_type(r) == TOKEN_END ? " before the end of the file" : ", not `%'");
	reader_refuse(r, r->at, message);
	return 0;
}

bool reader_enter(struct cat_reader *r)
{
	if (r->depth == READER_DEPTH)
		reader_refuse(r, r->at, "limit: nested too deeply");
	if (r->failed)
		return false;
	r->depth++;
	return true;
}

/* --- tokens ----------------------------------------------------------------------------------- */

static bool add_tokens(struct cat_reader *r, u32 source)
{
	struct cat *c = r->c;
	const struct source *s = &c->source[source];
	const char *why = "";
	struct token t;
	u32 at = 0;

	do {
		if (c->ntokens + 2 >= CAT_TOKENS) {
			set_error(r, s, at, 0, "limit: the model is too long");
			return false;
		}
		t = token_next(s, &at, &why);
		t.source = (u8)source;
		if (t.type == TOKEN_WRONG) {
			set_error(r, s, t.at, t.n, why);
			return false;
		}
		c->token[c->ntokens++] = t;
	} while (t.type != TOKEN_END);
	return true;
}

bool reader_tokens(struct cat_reader *r, const char *from, const char *name, u32 token)
{
	struct cat *c = r->c;
	struct source s = {0};
	bool always = false;
	const char *text = from ? cat_library(name, &always) : NULL;
	size_t n = text_length(name) + 1;
	char *copy = arena_take(&c->arena, n);

	if (c->nsources == CAT_SOURCES || !copy) {
		reader_refuse(r, token, "limit: too many files");
		return false;
	}
	s.library = always || (text && !r->files->read(r->files->ctx, from, name, &s));
	if (s.library) {
		s.text = text;
		s.n = (u32)text_length(text);
	} else if (!s.text && !r->files->read(r->files->ctx, from, name, &s)) {
		set_error(r, from ? &c->source[c->token[token].source] : NULL, c->token[token].at,
			c->token[token].n, from ? "cannot read %" : "cannot read the file");
		return false;
	}
	__builtin_memcpy(copy, name, n);
	s.name = copy;
	c->source[c->nsources] = s;
	return add_tokens(r, c->nsources++);
}

/* --- places ----------------------------------------------------------------------------------- */

struct cat_where cat_where(const struct source *s, u32 at)
{
	struct cat_where w = {.file = s->name, .number = 1};
	u32 begin = 0, end = at;

	for (u32 i = 0; i < at && i < s->n; i++) {
		if (s->text[i] != '\n')
			continue;
		w.number++;
		begin = i + 1;
	}
	while (end < s->n && s->text[end] != '\n')
		end++;
	w.line = s->text + begin;
	w.n = end - begin;
	w.column = at - begin + 1;
	return w;
}

struct cat_where cat_where_token(const struct cat *c, u32 token)
{
	return cat_where(&c->source[c->token[token].source], c->token[token].at);
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool allocate(struct cat_reader *r, void *memory)
{
	struct cat *c = r->c;

	c->arena = (struct arena){.mem = memory, .size = CAT_MEMORY};
	c->token = arena_take(&c->arena, CAT_TOKENS * sizeof *c->token);
	r->nodes.c = c;
	r->nodes.bucket = arena_take(&c->arena, NODE_BUCKETS * sizeof *r->nodes.bucket);
	r->binding = arena_take(&c->arena, READER_BINDINGS * sizeof *r->binding);
	r->item = arena_take(&c->arena, READER_ITEMS * sizeof *r->item);
	return r->item;
}

/* MODEL.bell beside MODEL.cat, if there is one: herdtools' files of tags and sets. */
static void read_bell(struct cat_reader *r, const char *model)
{
	char name[300];
	struct text t = text_begin(name, sizeof name);
	u32 n = (u32)text_length(model);
	struct source s = {0};

	if (n <= 4 || n + 2 > sizeof name || !text_equal(model + n - 4, ".cat"))
		return;
	text_put_n(&t, model, n - 4);
	text_put(&t, ".bell");
	if (r->files->read(r->files->ctx, NULL, name, &s))
		instructions_file(r, NULL, name, 0);
}

/* With this table, unless the model has one. */
static bool read_model(struct cat_reader *r, void *memory, const char *name, const char *table)
{
	struct cat *c = r->c;
	u32 end = 1;

	__builtin_memset(c, 0, sizeof *c);
	__builtin_memset(r->err, 0, sizeof *r->err);
	BUG_ON(!allocate(r, memory));
	c->ntokens = c->nnodes = r->nbindings = 1;
	c->map.llsc = r->files->variant && r->files->variant(r->files->ctx, "llsc", 4);
	c->map.rcpc = r->files->variant && r->files->variant(r->files->ctx, "rcpc", 4);
	BUG_ON(!map_library(&c->map, table));
	instructions_file(r, "", "stdlib.cat", 0);
	if (c->map.bell)
		instructions_file(r, "", c->map.bell, 0);
	BUG_ON(r->failed);
	r->wanted = NULL;
	r->tags = 0;
	read_bell(r, name);
	r->own = c->nsources;
	if (!r->failed)
		instructions_file(r, NULL, name, 0);
	if (r->failed || c->naxioms)
		return !r->failed;
	while (c->token[end].type != TOKEN_END || c->token[end].source != r->own)
		end++;
	reader_refuse(r, end, "the model has no axiom: it allows everything");
	return false;
}

/* The table of a model without one: another than c11 if it has all tags that are named. */
static const char *better_table(const struct cat_reader *r)
{
	const struct cat_map *m = &r->c->map;
	struct cat_map other = {0};

	if (m->given || !r->wanted)
		return NULL;
	BUG_ON(!map_library(&other, r->wanted));
	for (u32 i = 0; i < m->ntags; i++) {
		const char *name = map_tag_name(m, i);

		if (r->tags >> i & 1 && map_tag(&other, name, (u32)text_length(name)) == MAP_TAGS)
			return NULL;
	}
	return r->wanted;
}

bool cat_read(struct cat *c, void *memory, const struct cat_files *files, const char *name,
	struct cat_error *err)
{
	struct cat_reader r = {.c = c, .files = files, .err = err};
	bool good = read_model(&r, memory, name, "c11");
	const char *table = better_table(&r);

	if (table) {
		r = (struct cat_reader){.c = c, .files = files, .err = err};
		__builtin_memset(memory, 0, CAT_MEMORY);
		good = read_model(&r, memory, name, table);
	}
	if (!good)
		return false;
	analysis_model(c);
	scope_warn(&r);
	return true;
}
