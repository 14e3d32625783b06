/* SPDX-License-Identifier: ISC */
/* instruction.c - axioms, includes, procedures and the other parts of a file. See reader.h. */
#include "cat/reader.h"

#include "base/text.h"

/* --- conditions ------------------------------------------------------------------------------- */

/* lkmmv2: the kernel's model filters tags itself (failed RMWs do not order), as it does here. */
static bool is_variant_set(const struct cat_reader *r, const char *name, u32 n)
{
	return text_equal_n("lkmmv2", name, n) ||
	       (r->files->variant && r->files->variant(r->files->ctx, name, n));
}

static bool read_condition_unit(struct cat_reader *r)
{
	bool holds = false;
	u32 token, n;
	const char *name;

	if (!reader_enter(r))
		return false;
	if (reader_accept(r, TOKEN_NOT)) {
		holds = !read_condition_unit(r);
	} else if (reader_accept(r, '(')) {
		holds = condition_read(r);
		reader_expect(r, ')');
	} else {
		reader_accept(r, TOKEN_VARIANT);
		token = reader_expect(r, TOKEN_STRING);
		name = cat_text(r->c, token, &n);
		holds = !r->failed && is_variant_set(r, name + 1, n - 2);
	}
	reader_leave(r);
	return holds;
}

bool condition_read(struct cat_reader *r)
{
	bool holds = read_condition_unit(r), other;

	for (;;) {
		if (reader_accept(r, TOKEN_AND)) {
			other = read_condition_unit(r);
			holds = holds && other;
		} else if (reader_accept(r, TOKEN_BARS)) {
			other = read_condition_unit(r);
			holds = holds || other;
		} else {
			return holds;
		}
	}
}

/* --- axioms ----------------------------------------------------------------------------------- */

static enum cat_kind read_kind(struct cat_reader *r)
{
	return reader_accept(r, TOKEN_FLAG)	   ? CAT_FLAG
	       : reader_accept(r, TOKEN_UNDEFINED) ? CAT_UNDEFINED
	       : reader_accept(r, TOKEN_ASSERT)	   ? CAT_ASSERTED
						   : CAT_REQUIRED;
}

static void read_test(struct cat_reader *r)
{
	struct cat *c = r->c;
	struct cat_axiom x = {.kind = (u8)read_kind(r)};
	struct reader_value v;

	x.negated = reader_accept(r, '~');
	x.token = r->at;
	if (reader_accept(r, TOKEN_ACYCLIC))
		x.test = CAT_ACYCLIC;
	else if (reader_accept(r, TOKEN_IRREFLEXIVE))
		x.test = CAT_IRREFLEXIVE;
	else if (reader_accept(r, TOKEN_EMPTY))
		x.test = CAT_IS_EMPTY;
	else
		reader_refuse(r, r->at, "wanted acyclic, irreflexive or empty, not `%'");
	v = expression_typed(r, x.test == CAT_IS_EMPTY ? CAT_ANY : CAT_RELATION);
	if (reader_accept(r, TOKEN_AS))
		x.name = reader_type(r) == TOKEN_STRING ? r->at++ : reader_expect(r, TOKEN_NAME);
	if (r->failed || r->unchosen || v.kind != VALUE_NODE)
		return;
	if (c->naxioms == CAT_AXIOMS) {
		reader_refuse(r, x.token, "limit: more than 64 axioms");
		return;
	}
	if (x.kind == CAT_FLAG && !x.name)
		reader_refuse(r, x.token, "a flag needs a name: `as NAME'");
	x.node = c->node[v.node].type == CAT_ANY ? node_as(&r->nodes, v.node, CAT_RELATION)
						 : v.node;
	c->axiom[c->naxioms++] = x;
}

void cat_axiom_name(const struct cat *c, u32 axiom, char to[80])
{
	static const char *const tests[] = {"acyclic", "irreflexive", "empty"};
	const struct cat_axiom *x = &c->axiom[axiom];
	struct text t = text_begin(to, 80);
	u32 n;
	const char *name;

	if (!x->name) {
		text_put(&t, x->negated ? "~" : "");
		text_put(&t, tests[x->test]);
		text_put(&t, " at line ");
		text_number(&t, cat_where_token(c, x->token).number);
		return;
	}
	name = cat_text(c, x->name, &n);
	if (c->token[x->name].type == TOKEN_STRING) {
		name++;
		n -= 2;
	}
	text_put_n(&t, name, n < 70 ? n : 70);
}

/* --- files ------------------------------------------------------------------------------------ */

/* Is it read already? Then again it has no effect. */
static bool is_included(const struct cat_reader *r, const char *name)
{
	for (u32 i = 0; i < r->c->nsources; i++)
		if (text_equal(r->c->source[i].name, name))
			return true;
	return false;
}

static void read_map(struct cat_reader *r, u32 token)
{
	struct cat *c = r->c;
	u32 n, at;
	const char *text = cat_text(c, token, &n), *why;

	if (!c->map.given)
		map_clear(&c->map);
	c->map.given = true;
	if (!map_read(&c->map, text, n, &at, &why)) {
		reader_refuse(r, token, why);
		r->err->at = c->token[token].at + at;
	} else if (c->map.bell) {
		instructions_file(r, "", c->map.bell, token);
	}
}

void instructions_file(struct cat_reader *r, const char *from, const char *name, u32 token)
{
	u32 back = r->at, first = r->c->ntokens;

	if (!reader_tokens(r, from, name, token))
		return;
	for (u32 i = first; i < r->c->ntokens && !r->failed; i++)
		if (r->c->token[i].type == TOKEN_MAP)
			read_map(r, i);
	r->at = first;
	/* The name of an architecture, or a title: only informative. */
	while (reader_type(r) == TOKEN_NAME || reader_type(r) == TOKEN_STRING)
		r->at++;
	instructions_read(r);
	if (!r->failed && reader_type(r) != TOKEN_END)
		reader_refuse(r, r->at, "`%' without a beginning");
	r->at = back;
}

/* The model defines dependencies by the registers of instructions: executions have them. */
static void read_catdep(struct cat_reader *r)
{
	if (r->c->catdep)
		return;
	r->c->catdep = true;
	instructions_file(r, "", "catdep", r->at - 1);
}

static void read_include(struct cat_reader *r)
{
	u32 token = reader_expect(r, TOKEN_STRING), n;
	const char *text = cat_text(r->c, token, &n);
	char name[200];

	if (r->failed || r->unchosen)
		return;
	if (n - 2 >= sizeof name || n < 3) {
		reader_refuse(r, token, "this is not a file name");
		return;
	}
	__builtin_memcpy(name, text + 1, n - 2);
	name[n - 2] = 0;
	if (is_included(r, name) || !reader_enter(r))
		return;
	instructions_file(r, r->c->source[r->c->token[token].source].name, name, token);
	reader_leave(r);
}

/* --- the rest --------------------------------------------------------------------------------- */

static void read_show(struct cat_reader *r)
{
	struct cat *c = r->c;

	do {
		u32 name = r->at;
		struct reader_value v = expression_read(r);

		if (reader_accept(r, TOKEN_AS))
			name = reader_expect(r, TOKEN_NAME);
		if (v.kind == VALUE_NODE && !r->unchosen && !r->failed && c->nshown < CAT_SHOWN)
			c->shown[c->nshown++] = (struct cat_name){name, v.node};
	} while (reader_accept(r, ','));
}

static void read_unshow(struct cat_reader *r)
{
	do
		reader_expect(r, TOKEN_NAME);
	while (reader_accept(r, ','));
}

/* with NAME from linearisations(S, r): the axioms hold for one of these orders. A relation is the
 * only one. */
static void read_linearisation(struct cat_reader *r, u32 name)
{
	u32 token = r->at, n;
	struct reader_value v;
	u16 order;

	if (reader_type(r) != TOKEN_NAME ||
		!text_equal_n("linearisations", cat_text(r->c, token, &n), r->c->token[token].n)) {
		v = expression_read(r);
		if (v.kind == VALUE_NODE)
			scope_bind(r, name, v);
		else if (!r->failed)
			reader_refuse(r, token,
				"limit: `with' takes linearisations(S, r), and co");
		return;
	}
	r->at++;
	v = expression_simple(r);
	if (r->failed)
		return;
	if (v.kind != VALUE_TUPLE || v.n != 2 || r->item[v.first].kind != VALUE_NODE ||
		r->item[v.first + 1].kind != VALUE_NODE) {
		reader_refuse(r, token, "linearisations takes a set and a relation");
		return;
	}
	if (r->c->order || r->inside) {
		reader_refuse(r, token, "limit: one `with' order, outside of procedures");
		return;
	}
	r->nodes.token = token;
	order = node_make(&r->nodes, CAT_ORDER, r->item[v.first].node, r->item[v.first + 1].node);
	if (!order)
		reader_refuse(r, token, "linearisations takes a set and a relation");
	r->c->order = order;
	if (r->c->nnames < CAT_NODES)
		r->c->name[r->c->nnames++] = (struct cat_name){name, order};
	scope_bind(r, name, value_node(order));
}

/* with NAME from E: the rest holds for one of its values. Executions have their co. */
static void read_with(struct cat_reader *r)
{
	u32 token = reader_expect(r, TOKEN_NAME), n;
	const char *name = cat_text(r->c, token, &n);

	reader_expect(r, TOKEN_FROM);
	if (r->failed)
		return;
	if (!text_equal_n("co", name, n)) {
		read_linearisation(r, token);
		return;
	}
	r->quiet++;
	expression_read(r);
	r->quiet--;
}

static void read_procedure(struct cat_reader *r)
{
	u32 token, scope;
	struct reader_value f = {.kind = VALUE_PROCEDURE};

	if (reader_accept(r, TOKEN_REC))
		reader_refuse(r, r->at, "limit: recursive procedures are not supported");
	token = reader_expect(r, TOKEN_NAME);
	f.first = r->at;
	f.n = scope = r->scope;
	r->inside++;
	r->unchosen++;
	binding_unknown(r);
	reader_expect(r, '=');
	instructions_read(r);
	reader_expect(r, TOKEN_WORD_END);
	r->unchosen--;
	r->inside--;
	r->scope = scope;
	if (!r->failed)
		scope_bind(r, token, f);
}

static void read_call(struct cat_reader *r)
{
	u32 token = reader_expect(r, TOKEN_NAME), back, scope = r->scope;
	struct reader_value f, arg;

	if (r->failed)
		return;
	f = scope_find(r, token);
	arg = expression_simple(r);
	if (reader_accept(r, TOKEN_AS))
		reader_expect(r, TOKEN_NAME);
	if (r->failed || f.kind == VALUE_UNKNOWN)
		return;
	if (f.kind != VALUE_PROCEDURE) {
		reader_refuse(r, token, "`%' is no procedure");
		return;
	}
	if (++r->calls > READER_CALLS || !reader_enter(r))
		return;
	back = r->at;
	r->at = f.first;
	r->scope = f.n;
	r->inside++;
	if (binding_pattern(r, arg)) {
		r->at++;
		instructions_read(r);
	} else {
		reader_refuse(r, token, "`%' is called with the wrong number of arguments");
	}
	r->inside--;
	reader_leave(r);
	r->at = back;
	r->scope = scope;
}

/* Instructions that are chosen, or not: their names stay only if they are. */
static void read_branch(struct cat_reader *r, bool chosen)
{
	u32 scope = r->scope;

	r->unchosen += !chosen;
	r->quiet += !chosen;
	r->inside += !chosen;
	instructions_read(r);
	r->inside -= !chosen;
	r->quiet -= !chosen;
	r->unchosen -= !chosen;
	if (!chosen)
		r->scope = scope;
}

static void read_choice(struct cat_reader *r)
{
	bool holds = condition_read(r);

	if (!reader_enter(r))
		return;
	read_branch(r, holds);
	if (reader_accept(r, TOKEN_ELSE))
		read_branch(r, !holds);
	reader_leave(r);
	reader_expect(r, TOKEN_WORD_END);
}

/* Of a .bell file: enum NAME = TAG || TAG, which is only informative here. */
static void read_enum(struct cat_reader *r)
{
	reader_expect(r, TOKEN_NAME);
	reader_expect(r, '=');
	reader_accept(r, TOKEN_BARS);
	do
		reader_expect(r, TOKEN_TAG);
	while (reader_accept(r, TOKEN_BARS));
}

static void read_instructions_row(struct cat_reader *r)
{
	reader_expect(r, TOKEN_NAME);
	reader_expect(r, '[');
	while (!r->failed && !reader_accept(r, ']')) {
		if (reader_type(r) == TOKEN_END)
			reader_refuse(r, r->at, "wanted `]'");
		r->at++;
	}
}

static bool read_instruction(struct cat_reader *r)
{
	u8 type = reader_type(r);

	switch (type) {
	case TOKEN_ACYCLIC:
	case TOKEN_IRREFLEXIVE:
	case TOKEN_EMPTY:
	case TOKEN_FLAG:
	case TOKEN_UNDEFINED:
	case TOKEN_ASSERT:
	case '~': read_test(r); return true;
	case TOKEN_END:
	case TOKEN_WORD_END:
	case TOKEN_ELSE: return false;
	}
	r->at++;
	switch (type) {
	case TOKEN_MAP: break;
	case TOKEN_LET:
		binding_read(r, reader_accept(r, TOKEN_REC));
		if (reader_accept(r, TOKEN_WHEN))
			read_test(r);
		reader_accept(r, TOKEN_IN);
		break;
	case TOKEN_INCLUDE: read_include(r); break;
	case TOKEN_CATDEP: read_catdep(r); break;
	case TOKEN_SHOW: read_show(r); break;
	case TOKEN_UNSHOW: read_unshow(r); break;
	case TOKEN_WITH: read_with(r); break;
	case TOKEN_PROCEDURE: read_procedure(r); break;
	case TOKEN_CALL: read_call(r); break;
	case TOKEN_IF: read_choice(r); break;
	case TOKEN_ENUM: read_enum(r); break;
	case TOKEN_INSTRUCTIONS: read_instructions_row(r); break;
	case TOKEN_FORALL:
		reader_refuse(r, r->at - 1, "limit: `forall' is not supported");
		break;
	default:
		reader_refuse(r, r->at - 1,
			"wanted let, an axiom, include, show or the like, not `%'");
		break;
	}
	return !r->failed;
}

void instructions_read(struct cat_reader *r)
{
	while (!r->failed && read_instruction(r))
		;
}
