/* SPDX-License-Identifier: ISC */
/* query.c - see query.h. */
#include "kater/query.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kater/query_reader.h"

/* --- expressions ------------------------------------------------------------------------------ */

static struct operand read_union(struct query_reader *r);

static struct operand of_set(kinds set)
{
	return (struct operand){true, set, NULL};
}

static struct operand of_relation(const struct term *e)
{
	return (struct operand){false, 0, e};
}

static const struct term *relation_of(const struct query_reader *r, struct operand o, u32 at)
{
	if (o.is_set)
		query_fail_at(
			r, at, "a set, where a relation is expected: [S] is the identity on S");
	return o.relation;
}

static kinds set_in(const struct query_reader *r, struct operand o, u32 at)
{
	if (!o.is_set)
		query_fail_at(r, at, "a relation, where a set is expected");
	return o.set;
}

static const struct {
	const char *name;
	letters l;
} built_in[] = {
	{"po", LETTERS_PO},
	{"po-loc", L(LOC)},
	{"rf", LETTERS_RF},
	{"rfi", L(RFI)},
	{"rfe", L(RFE)},
	{"co", LETTERS_CO},
	{"coi", L(COI)},
	{"coe", L(COE)},
	{"fr", LETTERS_FR},
	{"fri", L(FRI)},
	{"fre", L(FRE)},
	{"addr", L(ADDR)},
	{"data", L(DATA)},
	{"ctrl", L(CTRL)},
	{"rmw", L(RMW)},
};

/* MODEL::NAME */
static struct operand read_qualified(struct query_reader *r, u32 at)
{
	struct kater_model m = query_model_named(r);
	static struct translator t;
	const struct term *e;

	if (!query_take_pair(r, "::"))
		query_fail_at(r, r->token.at, "`::' and a name of the model are expected here");
	for (u32 i = m.c->nnames; i--;) {
		u32 n;
		const char *text = cat_text(m.c, m.c->name[i].token, &n);

		if (n != r->token.n || memcmp(text, r->source.text + r->token.at, n) != 0)
			continue;
		if (m.c->node[m.c->name[i].node].type == CAT_SET)
			query_fail_at(
				r, r->token.at, "a set of `%s': name its kinds of events", m.name);
		memset(&t, 0, sizeof(t));
		if (!translate_begin(&t, m.c))
			query_fail_at(r, at, "%s", t.wrong);
		e = translate(&t, m.c->name[i].node, BOUND_ABOVE);
		if (t.wrong)
			query_fail_at(r, at, "%s", t.wrong);
		if (t.nnotes[BOUND_ABOVE] || t.view.nvirtual)
			query_fail_at(r, r->token.at, "`%s' of `%s' is not regular",
				query_token_text(r), m.name);
		query_advance(r);
		return of_relation(e);
	}
	query_fail_at(r, r->token.at, "`%s' does not define `%s'", m.name, query_token_text(r));
	abort();
}

static struct operand read_named(struct query_reader *r)
{
	const char *text = query_token_text(r);
	u32 at = r->token.at, tag;

	for (u32 i = r->nnames; i--;)
		if (!strcmp(r->name[i].text, text)) {
			query_advance(r);
			return (struct operand){
				r->name[i].is_set, r->name[i].set, r->name[i].relation};
		}
	for (u32 i = 0; i < sizeof built_in / sizeof *built_in; i++)
		if (query_is_word(r, built_in[i].name)) {
			query_advance(r);
			return of_relation(term_letters(built_in[i].l));
		}
	if (query_is_word(r, "id")) {
		query_advance(r);
		return of_relation(term_test(~0ull));
	}
	if (query_is_word(r, "M")) {
		query_advance(r);
		return of_set(kinds_of(KINDS_READS | KINDS_WRITES));
	}
	tag = map_tag(&r->c11, text, (u32)strlen(text));
	if (tag < MAP_TAGS && tag != MAP_IW) {
		query_advance(r);
		return of_set(kind_tagged(&r->view, tag));
	}
	if (query_is_model(r))
		return read_qualified(r, at);
	query_fail_at(r, at, "`%s' is not defined", text);
	abort();
}

static struct operand read_atom(struct query_reader *r)
{
	u32 at = r->token.at;
	struct operand o;

	if (++r->depth > DEPTH)
		query_fail_at(r, at, "more than %d expressions within each other", DEPTH);
	if (query_take(r, "(")) {
		o = read_union(r);
		query_want(r, ")");
	} else if (query_take(r, "[")) {
		at = r->token.at;
		o = of_relation(term_test(set_in(r, read_union(r), at)));
		query_want(r, "]");
	} else if (query_take(r, "~")) {
		at = r->token.at;
		o = of_set(KINDS_ALL & ~set_in(r, read_atom(r), at));
	} else if (r->token.type == TOKEN_ZERO) {
		query_advance(r);
		o = of_relation(term_none());
	} else if (r->token.type == TOKEN_NAME) {
		o = read_named(r);
	} else {
		query_fail_at(r, at, "an expression is expected here");
		abort();
	}
	r->depth--;
	return o;
}

static struct operand read_postfix(struct query_reader *r)
{
	u32 at = r->token.at;
	struct operand o = read_atom(r);

	for (;;) {
		if (query_take(r, "+"))
			o = of_relation(term_plus(relation_of(r, o, at)));
		else if (query_take(r, "*"))
			o = of_relation(term_opt(term_plus(relation_of(r, o, at))));
		else if (query_take(r, "?"))
			o = of_relation(term_opt(relation_of(r, o, at)));
		else if (r->token.type == TOKEN_INVERSE) {
			query_advance(r);
			o = of_relation(term_inverse(relation_of(r, o, at)));
		} else
			return o;
	}
}

/* Of sets only. */
static struct operand read_inter(struct query_reader *r)
{
	u32 at = r->token.at;
	struct operand o = read_postfix(r);

	while (query_is_word(r, "&") || query_is_word(r, "\\")) {
		bool without = query_is_word(r, "\\");
		kinds other;

		if (!o.is_set)
			query_fail_at(r, r->token.at,
				"`%s' of relations is not regular: write what it is of letters",
				query_token_text(r));
		query_advance(r);
		at = r->token.at;
		other = set_in(r, read_postfix(r), at);
		o.set &= without ? ~other : other;
	}
	return o;
}

static struct operand read_seq(struct query_reader *r)
{
	u32 at = r->token.at;
	struct operand o = read_inter(r);

	while (query_take(r, ";")) {
		const struct term *e = relation_of(r, o, at);

		at = r->token.at;
		o = of_relation(term_seq(e, relation_of(r, read_inter(r), at)));
	}
	return o;
}

static struct operand read_union(struct query_reader *r)
{
	u32 at = r->token.at;
	struct operand o = read_seq(r), other;

	while (query_take(r, "|")) {
		at = r->token.at;
		other = read_seq(r);
		if (o.is_set != other.is_set)
			query_fail_at(r, at, "a union of a set and a relation");
		if (o.is_set)
			o.set |= other.set;
		else
			o.relation = term_union(o.relation, other.relation);
	}
	return o;
}

static const struct term *read_relation(struct query_reader *r)
{
	u32 at = r->token.at;

	return relation_of(r, read_union(r), at);
}

static kinds read_set(struct query_reader *r)
{
	u32 at = r->token.at;

	return set_in(r, read_inter(r), at);
}

/* --- statements ------------------------------------------------------------------------------- */

static void add_name(struct query_reader *r, const char *text, struct operand o)
{
	if (r->nnames == NAMES)
		query_fail_at(r, r->token.at, "more than %d names", NAMES);
	r->name[r->nnames++] = (struct name){text, o.is_set, o.set, o.relation};
}

static void read_let(struct query_reader *r)
{
	const char *text = query_take_name(r, "a name");

	query_want(r, "=");
	add_name(r, text, read_union(r));
}

/* relation NAME, NAME: letters of the file's own */
static void read_letters(struct query_reader *r)
{
	do {
		const char *text = query_take_name(r, "a name");

		if (r->state.nown == QUERY_OWN)
			query_fail_at(r, r->token.at, "more than %d relations", QUERY_OWN);
		add_name(r, text,
			of_relation(term_letters(1ull << (LETTER_FREE + 2 * r->state.nown))));
		r->state.own[r->state.nown++] = text;
	} while (query_take(r, ","));
}

static void read_model_name(struct query_reader *r)
{
	const char *text = query_take_name(r, "a name");
	struct kater_model m;

	query_want(r, "=");
	m = query_read_model(r);
	m.name = text;
	query_add_model(r, text, m.c, m.path)->without = m.without;
}

static void read_assumption(struct query_reader *r)
{
	struct assumption a;

	if (query_take(r, "coherent")) {
		r->state.coherent = true;
		return;
	}
	if (query_take(r, "total")) {
		query_want(r, "co");
		r->state.total = true;
		return;
	}
	a.a = read_relation(r);
	if (query_take(r, "=")) {
		if (r->token.type != TOKEN_ZERO)
			query_fail_at(r, r->token.at, "`0' is expected here: `= 0', or `<='");
		query_advance(r);
		a.type = ASSUME_EMPTY;
	} else if (query_take_pair(r, "<=")) {
		a.b = read_relation(r);
		a.type =
			a.b->op == TERM_TEST && a.b->set == ~0ull ? ASSUME_IDENTITY : ASSUME_WITHIN;
	} else {
		query_fail_at(r, r->token.at, "`= 0' or `<=' is expected here");
	}
	if (r->state.nassumed == QUERY_ASSUMED)
		query_fail_at(r, r->token.at, "more than %d assumptions", QUERY_ASSUMED);
	r->state.assumed[r->state.nassumed++] = a;
}

/* --- claims ----------------------------------------------------------------------------------- */

static void read_of_model(struct query_reader *r, struct claim *c)
{
	c->a = query_read_model(r);
	if (query_take(r, "within") || query_take(r, "equals")) {
		c->type = r->source.text[r->before - 1] == 'n' ? CLAIM_WITHIN : CLAIM_EQUALS;
		c->b = query_read_model(r);
	} else if (query_take(r, "reorders")) {
		c->type = CLAIM_REORDERS;
		c->from = read_set(r);
		query_want(r, "before");
		c->to = read_set(r);
	} else if (query_take(r, "forbids")) {
		c->type = CLAIM_FORBIDS;
		c->left = read_relation(r);
	} else if (query_take(r, "is")) {
		if (query_take(r, "prefix-closed"))
			c->type = CLAIM_PREFIX;
		else if (query_take(r, "extensible"))
			c->type = CLAIM_EXTENSIBLE;
		else
			query_fail_at(
				r, r->token.at, "`prefix-closed' or `extensible' is expected here");
	} else {
		query_fail_at(r, r->token.at,
			"`within', `equals', `reorders', `forbids' or `is' is "
			"expected here");
	}
}

static bool read_cycles(struct query_reader *r, const struct term **e, bool *acyclic)
{
	*acyclic = r->token.type == TOKEN_ACYCLIC;
	if (r->token.type != TOKEN_ACYCLIC && r->token.type != TOKEN_IRREFLEXIVE)
		return false;
	query_advance(r);
	*e = read_relation(r);
	return true;
}

static void read_of_relations(struct query_reader *r, struct claim *c)
{
	if (read_cycles(r, &c->left, &c->left_acyclic)) {
		if (query_take_pair(r, "=>"))
			c->type = CLAIM_IMPLIES;
		else if (query_take(r, "="))
			c->type = CLAIM_SAME_CYCLES;
		else
			query_fail_at(r, r->token.at, "`=>' or `=' is expected here");
		if (!read_cycles(r, &c->right, &c->right_acyclic))
			query_fail_at(
				r, r->token.at, "`acyclic' or `irreflexive' is expected here");
		return;
	}
	c->left = read_relation(r);
	if (query_take_pair(r, "<="))
		c->type = CLAIM_PATHS;
	else if (query_take(r, "="))
		c->type = CLAIM_SAME_PATHS;
	else
		query_fail_at(r, r->token.at, "`<=' or `=' is expected here");
	c->right = read_relation(r);
}

/* Is a model next, not one of its relations? */
static bool begins_with_model(struct query_reader *r)
{
	return query_is_model(r) && !(r->at + 1 < r->source.n && r->source.text[r->at] == ':');
}

static void read_claim(struct query_reader *r, bool refute)
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

static void read_statement(struct query_reader *r)
{
	if (r->token.type == TOKEN_LET) {
		query_advance(r);
		read_let(r);
	} else if (query_take(r, "relation"))
		read_letters(r);
	else if (query_take(r, "model"))
		read_model_name(r);
	else if (query_take(r, "assume"))
		read_assumption(r);
	else if (query_take(r, "check"))
		read_claim(r, false);
	else if (query_take(r, "refute"))
		read_claim(r, true);
	else
		query_fail_at(r, r->token.at,
			"a statement is expected here: let, relation, model, "
			"assume, check or refute");
}

static struct source read_query_source(const char *path)
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
	static struct query_reader r;

	memset(&r, 0, sizeof(r));
	r.source = text ? (struct source){.name = path, .text = text, .n = (u32)strlen(text)}
			: read_query_source(path);
	map_library(&r.c11, "c11");
	kind_view(&r.view, &r.c11);
	query_advance(&r);
	if (text)
		read_claim(&r, false);
	while (r.token.type != TOKEN_END) {
		if (text)
			query_fail_at(&r, r.token.at, "the claim ends before this");
		read_statement(&r);
	}
	return r.query;
}
