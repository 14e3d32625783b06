/* SPDX-License-Identifier: ISC */
/* query.c - see query.h. */
#include "kater/query.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "model_file.h"

#define NAMES  256
#define MODELS 64
#define DEPTH  100

struct name {
	const char *text;
	bool is_set;
	kinds set;
	const struct term *relation;
};

/* A set, or a relation. */
struct operand {
	bool is_set;
	kinds set;
	const struct term *relation;
};

struct reader {
	struct source source;
	u32 at; /* behind the current token */
	struct token token;
	u32 before; /* the end of the one before */
	struct query query;
	struct claim state; /* assumptions so far */
	struct name name[NAMES];
	u32 nnames;
	struct kater_model model[MODELS];
	u32 nmodels, depth;
	struct cat_map c11;
	struct kind_view view;
};

/* --- tokens ----------------------------------------------------------------------------------- */

static void fail_at(const struct reader *r, u32 at, const char *format, ...) PRINTF(3, 4);

static void fail_at(const struct reader *r, u32 at, const char *format, ...)
{
	struct cat_error err = {.source = &r->source, .at = at};
	va_list ap;

	va_start(ap, format);
	vsnprintf(err.message, sizeof err.message, format, ap);
	va_end(ap);
	fprintf(stderr, "heddle: %s\n", model_file_mistake(&err));
	exit(EXIT_USAGE);
}

static void advance(struct reader *r)
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
		fail_at(r, r->token.at, "%s", why);
}

static const char *token_text(const struct reader *r)
{
	return xprintf("%.*s", (int)r->token.n, r->source.text + r->token.at);
}

static bool is_word(const struct reader *r, const char *word)
{
	return r->token.n == strlen(word) &&
	       !memcmp(r->source.text + r->token.at, word, r->token.n);
}

static bool take(struct reader *r, const char *word)
{
	if (!is_word(r, word))
		return false;
	advance(r);
	return true;
}

static void want(struct reader *r, const char *word)
{
	if (!take(r, word))
		fail_at(r, r->token.at, "`%s' is expected here", word);
}

/* A pair of characters, each a token: `<=', `=>', `::'. */
static bool take_pair(struct reader *r, const char *pair)
{
	u32 at = r->at;

	if (r->token.type != (u8)pair[0] || at >= r->source.n || r->source.text[at] != pair[1])
		return false;
	advance(r);
	advance(r);
	return true;
}

static const char *take_name(struct reader *r, const char *what)
{
	const char *text = token_text(r);

	if (r->token.type != TOKEN_NAME)
		fail_at(r, r->token.at, "%s is expected here", what);
	advance(r);
	return text;
}

/* --- models ----------------------------------------------------------------------------------- */

static struct kater_model *find_model(struct reader *r, const char *name)
{
	for (u32 i = r->nmodels; i--;)
		if (!strcmp(r->model[i].name, name))
			return &r->model[i];
	return NULL;
}

static struct kater_model *add_model(struct reader *r, const char *name, const struct cat *c,
	const char *path)
{
	if (r->nmodels == MODELS)
		fail_at(r, r->token.at, "more than %d models", MODELS);
	r->model[r->nmodels] = (struct kater_model){.name = name, .c = c, .path = path};
	return &r->model[r->nmodels++];
}

/* Beside the file that names it. */
static const char *path_beside(const struct reader *r, const char *path)
{
	const char *slash = strrchr(r->source.name, '/');

	return slash && path[0] != '/' ? xprintf("%.*s/%s", (int)(slash - r->source.name),
						 r->source.name, path)
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

static bool is_defined(const struct reader *r)
{
	for (u32 i = 0; i < r->nnames; i++)
		if (is_word(r, r->name[i].text))
			return true;
	return false;
}

/* A name of the file's own is not that of a model. */
static bool is_model(struct reader *r)
{
	if (is_defined(r))
		return false;
	return r->token.type == TOKEN_STRING ||
	       (r->token.type == TOKEN_NAME &&
		       (find_model(r, token_text(r)) || installed(token_text(r))));
}

/* NAME, or "FILE.cat" */
static struct kater_model model_named(struct reader *r)
{
	const char *text = token_text(r), *path;
	struct kater_model *m;

	if (r->token.type == TOKEN_STRING) {
		text = xprintf("%.*s", (int)strlen(text) - 2, text + 1);
		path = path_beside(r, text);
	} else if (r->token.type == TOKEN_NAME) {
		path = installed(text);
	} else {
		fail_at(r, r->token.at, "a model is expected here");
		abort();
	}
	m = find_model(r, text);
	if (!m && !path)
		fail_at(r, r->token.at, "no model `%s': a name of `heddle model list', or a file \"FILE.cat\"",
			text);
	advance(r);
	return m ? *m : *add_model(r, text, model_file_read(path), path);
}

static void leave_out(struct reader *r, struct kater_model *m)
{
	char name[80];
	u32 i = 0;

	for (; i < m->c->naxioms; i++) {
		cat_axiom_name(m->c, i, name);
		if (is_word(r, name))
			break;
	}
	if (i == m->c->naxioms)
		fail_at(r, r->token.at, "`%s' has no axiom `%s'", m->name, token_text(r));
	m->without |= 1ull << i;
	advance(r);
}

static struct kater_model read_model(struct reader *r)
{
	struct kater_model m = model_named(r);

	if (!take(r, "without"))
		return m;
	do
		leave_out(r, &m);
	while (take(r, ","));
	return m;
}

/* --- expressions ------------------------------------------------------------------------------ */

static struct operand read_union(struct reader *r);

static struct operand of_set(kinds set)
{
	return (struct operand){true, set, NULL};
}

static struct operand of_relation(const struct term *e)
{
	return (struct operand){false, 0, e};
}

static const struct term *relation_of(
	const struct reader *r, struct operand o, u32 at)
{
	if (o.is_set)
		fail_at(r, at, "a set, where a relation is expected: [S] is the identity on S");
	return o.relation;
}

static kinds set_in(const struct reader *r, struct operand o, u32 at)
{
	if (!o.is_set)
		fail_at(r, at, "a relation, where a set is expected");
	return o.set;
}

static const struct {
	const char *name;
	letters l;
} built_in[] = {
	{"po", LETTERS_PO}, {"po-loc", L(LOC)}, {"rf", LETTERS_RF}, {"rfi", L(RFI)},
	{"rfe", L(RFE)}, {"co", LETTERS_CO}, {"coi", L(COI)}, {"coe", L(COE)},
	{"fr", LETTERS_FR}, {"fri", L(FRI)}, {"fre", L(FRE)}, {"addr", L(ADDR)},
	{"data", L(DATA)}, {"ctrl", L(CTRL)}, {"rmw", L(RMW)},
};

/* MODEL::NAME */
static struct operand read_qualified(struct reader *r, u32 at)
{
	struct kater_model m = model_named(r);
	static struct translator t;
	const struct term *e;

	if (!take_pair(r, "::"))
		fail_at(r, r->token.at, "`::' and a name of the model are expected here");
	for (u32 i = m.c->nnames; i--;) {
		u32 n;
		const char *text = cat_text(m.c, m.c->name[i].token, &n);

		if (n != r->token.n || memcmp(text, r->source.text + r->token.at, n) != 0)
			continue;
		if (m.c->node[m.c->name[i].node].type == CAT_SET)
			fail_at(r, r->token.at, "a set of `%s': name its kinds of events", m.name);
		memset(&t, 0, sizeof(t));
		if (!translate_begin(&t, m.c))
			fail_at(r, at, "%s", t.wrong);
		e = translate(&t, m.c->name[i].node, BOUND_ABOVE);
		if (t.wrong)
			fail_at(r, at, "%s", t.wrong);
		if (t.nnotes[BOUND_ABOVE] || t.view.nvirtual)
			fail_at(r, r->token.at, "`%s' of `%s' is not regular", token_text(r),
				m.name);
		advance(r);
		return of_relation(e);
	}
	fail_at(r, r->token.at, "`%s' does not define `%s'", m.name, token_text(r));
	abort();
}

static struct operand read_named(struct reader *r)
{
	const char *text = token_text(r);
	u32 at = r->token.at, tag;

	for (u32 i = r->nnames; i--;)
		if (!strcmp(r->name[i].text, text)) {
			advance(r);
			return (struct operand){
				r->name[i].is_set, r->name[i].set, r->name[i].relation};
		}
	for (u32 i = 0; i < sizeof built_in / sizeof *built_in; i++)
		if (is_word(r, built_in[i].name)) {
			advance(r);
			return of_relation(term_letters(built_in[i].l));
		}
	if (is_word(r, "id")) {
		advance(r);
		return of_relation(term_test(~0ull));
	}
	if (is_word(r, "M")) {
		advance(r);
		return of_set(kinds_of(KINDS_READS | KINDS_WRITES));
	}
	tag = map_tag(&r->c11, text, (u32)strlen(text));
	if (tag < MAP_TAGS && tag != MAP_IW) {
		advance(r);
		return of_set(kind_tagged(&r->view, tag));
	}
	if (is_model(r))
		return read_qualified(r, at);
	fail_at(r, at, "`%s' is not defined", text);
	abort();
}

static struct operand read_atom(struct reader *r)
{
	u32 at = r->token.at;
	struct operand o;

	if (++r->depth > DEPTH)
		fail_at(r, at, "more than %d expressions within each other", DEPTH);
	if (take(r, "(")) {
		o = read_union(r);
		want(r, ")");
	} else if (take(r, "[")) {
		at = r->token.at;
		o = of_relation(term_test(set_in(r, read_union(r), at)));
		want(r, "]");
	} else if (take(r, "~")) {
		at = r->token.at;
		o = of_set(KINDS_ALL & ~set_in(r, read_atom(r), at));
	} else if (r->token.type == TOKEN_ZERO) {
		advance(r);
		o = of_relation(term_none());
	} else if (r->token.type == TOKEN_NAME) {
		o = read_named(r);
	} else {
		fail_at(r, at, "an expression is expected here");
		abort();
	}
	r->depth--;
	return o;
}

static struct operand read_postfix(struct reader *r)
{
	u32 at = r->token.at;
	struct operand o = read_atom(r);

	for (;;) {
		if (take(r, "+"))
			o = of_relation(term_plus(relation_of(r, o, at)));
		else if (take(r, "*"))
			o = of_relation(term_opt(term_plus(relation_of(r, o, at))));
		else if (take(r, "?"))
			o = of_relation(term_opt(relation_of(r, o, at)));
		else if (r->token.type == TOKEN_INVERSE) {
			advance(r);
			o = of_relation(term_inverse(relation_of(r, o, at)));
		} else
			return o;
	}
}

/* Of sets only. */
static struct operand read_inter(struct reader *r)
{
	u32 at = r->token.at;
	struct operand o = read_postfix(r);

	while (is_word(r, "&") || is_word(r, "\\")) {
		bool without = is_word(r, "\\");
		kinds other;

		if (!o.is_set)
			fail_at(r, r->token.at,
				"`%s' of relations is not regular: write what it is of letters",
				token_text(r));
		advance(r);
		at = r->token.at;
		other = set_in(r, read_postfix(r), at);
		o.set &= without ? ~other : other;
	}
	return o;
}

static struct operand read_seq(struct reader *r)
{
	u32 at = r->token.at;
	struct operand o = read_inter(r);

	while (take(r, ";")) {
		const struct term *e = relation_of(r, o, at);

		at = r->token.at;
		o = of_relation(term_seq(e, relation_of(r, read_inter(r), at)));
	}
	return o;
}

static struct operand read_union(struct reader *r)
{
	u32 at = r->token.at;
	struct operand o = read_seq(r), other;

	while (take(r, "|")) {
		at = r->token.at;
		other = read_seq(r);
		if (o.is_set != other.is_set)
			fail_at(r, at, "a union of a set and a relation");
		if (o.is_set)
			o.set |= other.set;
		else
			o.relation = term_union(o.relation, other.relation);
	}
	return o;
}

static const struct term *read_relation(struct reader *r)
{
	u32 at = r->token.at;

	return relation_of(r, read_union(r), at);
}

static kinds read_set(struct reader *r)
{
	u32 at = r->token.at;

	return set_in(r, read_inter(r), at);
}

/* --- statements ------------------------------------------------------------------------------- */

static void add_name(struct reader *r, const char *text, struct operand o)
{
	if (r->nnames == NAMES)
		fail_at(r, r->token.at, "more than %d names", NAMES);
	r->name[r->nnames++] = (struct name){text, o.is_set, o.set, o.relation};
}

static void read_let(struct reader *r)
{
	const char *text = take_name(r, "a name");

	want(r, "=");
	add_name(r, text, read_union(r));
}

/* relation NAME, NAME: letters of the file's own */
static void read_letters(struct reader *r)
{
	do {
		const char *text = take_name(r, "a name");

		if (r->state.nown == QUERY_OWN)
			fail_at(r, r->token.at, "more than %d relations", QUERY_OWN);
		add_name(r, text,
			of_relation(term_letters(
				1ull << (LETTER_FREE + 2 * r->state.nown))));
		r->state.own[r->state.nown++] = text;
	} while (take(r, ","));
}

static void read_model_name(struct reader *r)
{
	const char *text = take_name(r, "a name");
	struct kater_model m;

	want(r, "=");
	m = read_model(r);
	m.name = text;
	add_model(r, text, m.c, m.path)->without = m.without;
}

static void read_assumption(struct reader *r)
{
	struct assumption a;

	if (take(r, "coherent")) {
		r->state.coherent = true;
		return;
	}
	if (take(r, "total")) {
		want(r, "co");
		r->state.total = true;
		return;
	}
	a.a = read_relation(r);
	if (take(r, "=")) {
		if (r->token.type != TOKEN_ZERO)
			fail_at(r, r->token.at, "`0' is expected here: `= 0', or `<='");
		advance(r);
		a.type = ASSUME_EMPTY;
	} else if (take_pair(r, "<=")) {
		a.b = read_relation(r);
		a.type = a.b->op == TERM_TEST && a.b->set == ~0ull ? ASSUME_IDENTITY
									 : ASSUME_WITHIN;
	} else {
		fail_at(r, r->token.at, "`= 0' or `<=' is expected here");
	}
	if (r->state.nassumed == QUERY_ASSUMED)
		fail_at(r, r->token.at, "more than %d assumptions", QUERY_ASSUMED);
	r->state.assumed[r->state.nassumed++] = a;
}

/* --- claims ----------------------------------------------------------------------------------- */

static void read_of_model(struct reader *r, struct claim *c)
{
	c->a = read_model(r);
	if (take(r, "within") || take(r, "equals")) {
		c->type = r->source.text[r->before - 1] == 'n' ? CLAIM_WITHIN : CLAIM_EQUALS;
		c->b = read_model(r);
	} else if (take(r, "reorders")) {
		c->type = CLAIM_REORDERS;
		c->from = read_set(r);
		want(r, "before");
		c->to = read_set(r);
	} else if (take(r, "forbids")) {
		c->type = CLAIM_FORBIDS;
		c->left = read_relation(r);
	} else if (take(r, "is")) {
		if (take(r, "prefix-closed"))
			c->type = CLAIM_PREFIX;
		else if (take(r, "extensible"))
			c->type = CLAIM_EXTENSIBLE;
		else
			fail_at(r, r->token.at,
				"`prefix-closed' or `extensible' is expected here");
	} else {
		fail_at(r, r->token.at, "`within', `equals', `reorders', `forbids' or `is' is "
					"expected here");
	}
}

static bool read_cycles(struct reader *r, const struct term **e, bool *acyclic)
{
	*acyclic = r->token.type == TOKEN_ACYCLIC;
	if (r->token.type != TOKEN_ACYCLIC && r->token.type != TOKEN_IRREFLEXIVE)
		return false;
	advance(r);
	*e = read_relation(r);
	return true;
}

static void read_of_relations(struct reader *r, struct claim *c)
{
	if (read_cycles(r, &c->left, &c->left_acyclic)) {
		if (take_pair(r, "=>"))
			c->type = CLAIM_IMPLIES;
		else if (take(r, "="))
			c->type = CLAIM_SAME_CYCLES;
		else
			fail_at(r, r->token.at, "`=>' or `=' is expected here");
		if (!read_cycles(r, &c->right, &c->right_acyclic))
			fail_at(r, r->token.at,
				"`acyclic' or `irreflexive' is expected here");
		return;
	}
	c->left = read_relation(r);
	if (take_pair(r, "<="))
		c->type = CLAIM_PATHS;
	else if (take(r, "="))
		c->type = CLAIM_SAME_PATHS;
	else
		fail_at(r, r->token.at, "`<=' or `=' is expected here");
	c->right = read_relation(r);
}

/* Is a model next, not one of its relations? */
static bool begins_with_model(struct reader *r)
{
	return is_model(r) && !(r->at + 1 < r->source.n && r->source.text[r->at] == ':');
}

static void read_claim(struct reader *r, bool refute)
{
	struct claim c = r->state;
	u32 at = r->token.at;

	c.refute = refute;
	c.where = cat_where(&r->source, at);
	if (begins_with_model(r))
		read_of_model(r, &c);
	else
		read_of_relations(r, &c);
	c.text = xprintf("%.*s", (int)(r->before - at), r->source.text + at);
	r->query.claim = xgrow(r->query.claim, (r->query.nclaims + 1) * sizeof(c));
	r->query.claim[r->query.nclaims++] = c;
}

static void read_statement(struct reader *r)
{
	if (r->token.type == TOKEN_LET) {
		advance(r);
		read_let(r);
	} else if (take(r, "relation"))
		read_letters(r);
	else if (take(r, "model"))
		read_model_name(r);
	else if (take(r, "assume"))
		read_assumption(r);
	else if (take(r, "check"))
		read_claim(r, false);
	else if (take(r, "refute"))
		read_claim(r, true);
	else
		fail_at(r, r->token.at, "a statement is expected here: let, relation, model, "
					"assume, check or refute");
}

static struct source read_source(const char *path)
{
	FILE *f = fopen(path, "re");
	struct source s = {.name = path};
	char *text = xmalloc(1 << 20);

	if (!f)
		die("%s: %s", path, strerror(errno));
	s.n = (u32)fread(text, 1, 1 << 20, f);
	if (s.n == 1 << 20)
		die("%s: more than a megabyte", path);
	fclose(f);
	s.text = text;
	return s;
}

struct query query_read(const char *path, const char *text)
{
	static struct reader r;
	const char *why, *map = map_library("c11", 3);
	u32 at;

	memset(&r, 0, sizeof(r));
	r.source = text ? (struct source){.name = path, .text = text, .n = (u32)strlen(text)}
			: read_source(path);
	map_clear(&r.c11);
	map_read(&r.c11, map, (u32)strlen(map), &at, &why);
	kind_view(&r.view, &r.c11);
	advance(&r);
	if (text)
		read_claim(&r, false);
	while (r.token.type != TOKEN_END) {
		if (text)
			fail_at(&r, r.token.at, "the claim ends before this");
		read_statement(&r);
	}
	return r.query;
}
