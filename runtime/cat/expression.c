/* SPDX-License-Identifier: ISC */
/* expression.c - expressions, read and evaluated to nodes. See reader.h. */
#include "cat/reader.h"

static const struct reader_value unknown = {.kind = VALUE_UNKNOWN};

/* A set or relation; *node: NODE_WRONG if it is not known. False: it is something else. */
static bool as_node(struct cat_reader *r, struct reader_value v, u32 token, u16 *node)
{
	*node = v.kind == VALUE_NODE ? v.node : NODE_WRONG;
	if (v.kind == VALUE_NODE || v.kind == VALUE_UNKNOWN)
		return true;
	reader_refuse(r, token,
		v.kind == VALUE_TAG ? "`%' is a tag: wanted a set or a relation"
		: v.kind == VALUE_TUPLE
			? "this is several values: wanted a set or a relation"
			: "`%' is a function: wanted a set or a relation");
	return false;
}

/* The types of the operands do not fit. */
static struct reader_value fail_types(struct cat_reader *r, u32 token, enum cat_op op)
{
	const char *words;

	if (r->c->nnodes >= CAT_NODES) {
		reader_refuse(r, token, "limit: more than 2000 different expressions");
		return unknown;
	}
	switch (op) {
	case CAT_SEQ: words = "`;' joins relations: an operand is a set (write [S])"; break;
	case CAT_PRODUCT: words = "`*' is the product of sets: an operand is a relation"; break;
	case CAT_ID: words = "[ ] takes a set: this is a relation"; break;
	case CAT_DOMAIN:
	case CAT_RANGE: words = "`%' takes a relation: this is a set"; break;
	case CAT_PLUS:
	case CAT_STAR:
	case CAT_OPT:
	case CAT_INVERSE: words = "`%' follows a relation: this is a set"; break;
	default: words = "`%' has a set on one side and a relation on the other"; break;
	}
	reader_refuse(r, token, words);
	return unknown;
}

static struct reader_value combine(struct cat_reader *r, u32 token, enum cat_op op,
	struct reader_value a, struct reader_value b)
{
	u16 of_a, of_b = NODE_WRONG, node;
	bool two = op == CAT_UNION || op == CAT_INTER || op == CAT_DIFF || op == CAT_SEQ ||
		   op == CAT_PRODUCT;

	if (r->failed || !as_node(r, a, token, &of_a) || (two && !as_node(r, b, token, &of_b)))
		return unknown;
	if (!of_a || (two && !of_b))
		return unknown;
	r->nodes.token = token;
	node = node_make(&r->nodes, op, of_a, of_b);
	if (!node)
		return fail_types(r, token, op);
	return value_node(node);
}

/* --- calls ------------------------------------------------------------------------------------ */

static struct reader_value apply_function(
	struct cat_reader *r, u32 token, struct reader_value f, struct reader_value arg)
{
	u32 at = r->at, scope = r->scope;
	struct reader_value v = unknown;

	if (++r->calls > READER_CALLS) {
		reader_refuse(r, token, "limit: too many calls of functions");
		return v;
	}
	if (!reader_enter(r))
		return v;
	r->at = f.first;
	r->scope = f.n;
	r->inside++;
	if (binding_pattern(r, arg)) {
		r->at++; /* `=' or `->' */
		v = expression_read(r);
	} else {
		reader_refuse(r, token, "`%' is called with the wrong number of arguments");
	}
	r->inside--;
	reader_leave(r);
	r->at = at;
	r->scope = scope;
	return v;
}

static struct reader_value call_value(
	struct cat_reader *r, u32 token, struct reader_value f, struct reader_value arg)
{
	switch (f.kind) {
	case VALUE_FUNCTION: return apply_function(r, token, f, arg);
	case VALUE_PRIMITIVE: return combine(r, token, f.node, arg, unknown);
	case VALUE_UNKNOWN: return unknown;
	}
	reader_refuse(r, token, "`%' is no function");
	return unknown;
}

/* --- atoms ------------------------------------------------------------------------------------ */

/* (), (e) or (e, ...) behind the bracket. */
static struct reader_value read_tuple(struct cat_reader *r)
{
	struct reader_value part[32], v = {.kind = VALUE_TUPLE};
	u32 n = 0;

	if (reader_accept(r, ')'))
		return v;
	do {
		if (n == array_size(part)) {
			reader_refuse(r, r->at, "limit: more than 32 values");
			return unknown;
		}
		part[n++] = expression_read(r);
	} while (reader_accept(r, ','));
	reader_expect(r, ')');
	if (n == 1)
		return part[0];
	if (r->nitems + n > READER_ITEMS) {
		reader_refuse(r, r->at, "limit: too many values");
		return unknown;
	}
	v.first = r->nitems;
	v.n = n;
	for (u32 i = 0; i < n; i++)
		r->item[r->nitems++] = part[i];
	return v;
}

static bool begins_atom(u8 type)
{
	return type == TOKEN_NAME || type == TOKEN_TAG || type == TOKEN_ZERO || type == '_' ||
	       type == '(' || type == '[' || type == '{' || type == TOKEN_BEGIN;
}

static struct reader_value constant(struct cat_reader *r, enum cat_op op)
{
	r->nodes.token = r->at;
	return value_node(node_constant(&r->nodes, op, CAT_ANY));
}

static struct reader_value read_braces(struct cat_reader *r)
{
	if (!reader_accept(r, '}'))
		reader_refuse(r, r->at, "limit: sets of given elements are not supported, but {}");
	r->nodes.token = r->at;
	return value_node(node_constant(&r->nodes, CAT_EMPTY, CAT_SET));
}

static struct reader_value read_atom(struct cat_reader *r)
{
	u32 token = r->at;
	struct reader_value v;

	switch (reader_type(r)) {
	case TOKEN_NAME:
		r->at++;
		return scope_find(r, token);
	case TOKEN_TAG:
		r->at++;
		return (struct reader_value){.kind = VALUE_TAG, .first = token};
	case TOKEN_ZERO:
		r->at++;
		return constant(r, CAT_EMPTY);
	case '_':
		r->at++;
		return constant(r, CAT_UNIVERSE);
	case '(':
		r->at++;
		return read_tuple(r);
	case '[':
		r->at++;
		v = expression_read(r);
		reader_expect(r, ']');
		return combine(r, token, CAT_ID, v, unknown);
	case '{':
		r->at++;
		return read_braces(r);
	case TOKEN_BEGIN:
		r->at++;
		v = expression_read(r);
		reader_expect(r, TOKEN_WORD_END);
		return v;
	}
	reader_refuse(r, token, r->c->token[token].type == TOKEN_END
			? "wanted a set or a relation before the end of the file"
			: "wanted a set or a relation, not `%'");
	return unknown;
}

struct reader_value expression_simple(struct cat_reader *r)
{
	struct reader_value v;

	if (!reader_enter(r))
		return unknown;
	v = read_atom(r);
	reader_leave(r);
	return v;
}

static struct reader_value read_application(struct cat_reader *r)
{
	u32 token = r->at;
	struct reader_value v = read_atom(r);

	while (begins_atom(reader_type(r)) && !r->failed)
		v = call_value(r, token, v, read_atom(r));
	return v;
}

/* --- operators -------------------------------------------------------------------------------- */

/* Does an operand begin behind a `*', which then is a product? */
static bool star_is_product(const struct cat_reader *r)
{
	u8 next = r->c->token[r->at + 1].type;

	return begins_atom(next) || next == '~';
}

static struct reader_value read_postfix(struct cat_reader *r)
{
	struct reader_value v = read_application(r);

	for (;;) {
		enum cat_op op;

		switch (reader_type(r)) {
		case '+': op = CAT_PLUS; break;
		case '?': op = CAT_OPT; break;
		case TOKEN_INVERSE: op = CAT_INVERSE; break;
		case '*':
			if (star_is_product(r))
				return v;
			op = CAT_STAR;
			break;
		default: return v;
		}
		v = combine(r, r->at, op, v, unknown);
		if (r->failed)
			return v;
		r->at++;
	}
}

static struct reader_value read_unary(struct cat_reader *r)
{
	u32 token = r->at;
	struct reader_value v = unknown;

	if (!reader_accept(r, '~'))
		return read_postfix(r);
	if (reader_enter(r)) {
		v = combine(r, token, CAT_NOT, read_unary(r), unknown);
		reader_leave(r);
	}
	return v;
}

static struct reader_value read_product(struct cat_reader *r)
{
	struct reader_value v = read_unary(r);
	u32 token = r->at;

	if (!reader_accept(r, '*'))
		return v;
	return combine(r, token, CAT_PRODUCT, v, read_unary(r));
}

static struct reader_value read_inter(struct cat_reader *r)
{
	struct reader_value v = read_product(r);
	u32 token = r->at;

	for (; reader_accept(r, '&'); token = r->at)
		v = combine(r, token, CAT_INTER, v, read_product(r));
	return v;
}

static struct reader_value read_diff(struct cat_reader *r)
{
	struct reader_value v = read_inter(r);
	u32 token = r->at;

	for (; reader_accept(r, '\\'); token = r->at)
		v = combine(r, token, CAT_DIFF, v, read_inter(r));
	return v;
}

static struct reader_value read_seq(struct cat_reader *r)
{
	struct reader_value v = read_diff(r), last = unknown;
	u32 token = r->at, before = 0;
	bool any = false;

	/* The last operand waits for the next one: rf^-1;co is fr wherever it is. */
	for (; reader_accept(r, ';'); token = r->at) {
		if (any)
			v = combine(r, before, CAT_SEQ, v, last);
		last = read_diff(r);
		before = token;
		any = true;
	}
	return any ? combine(r, before, CAT_SEQ, v, last) : v;
}

static struct reader_value read_union(struct cat_reader *r)
{
	struct reader_value v = read_seq(r);
	u32 token = r->at;

	for (;; token = r->at) {
		if (reader_accept(r, '|'))
			v = combine(r, token, CAT_UNION, v, read_seq(r));
		else if (reader_type(r) == TOKEN_INSERT)
			reader_refuse(r, token, "limit: `++' is not supported");
		else
			return v;
	}
}

/* --- expressions that begin with a keyword ---------------------------------------------------- */

static struct reader_value read_let(struct cat_reader *r)
{
	u32 scope = r->scope;
	struct reader_value v;

	r->inside++;
	binding_read(r, reader_accept(r, TOKEN_REC));
	reader_expect(r, TOKEN_IN);
	v = expression_read(r);
	r->inside--;
	r->scope = scope;
	return v;
}

static struct reader_value read_function(struct cat_reader *r)
{
	struct reader_value f = {.kind = VALUE_FUNCTION, .first = r->at, .n = r->scope};
	u32 scope = r->scope;

	r->inside++;
	binding_unknown(r);
	reader_expect(r, TOKEN_ARROW);
	expression_read(r);
	r->inside--;
	r->scope = scope;
	return f;
}

static struct reader_value read_try(struct cat_reader *r)
{
	bool missed = r->missed, was_missed;
	struct reader_value first, second;

	r->quiet++;
	r->missed = false;
	first = expression_read(r);
	was_missed = r->missed;
	r->missed = missed;
	r->quiet--;
	reader_expect(r, TOKEN_WITH);
	r->quiet += !was_missed;
	second = expression_read(r);
	r->quiet -= !was_missed;
	return was_missed ? second : first;
}

static struct reader_value read_if(struct cat_reader *r)
{
	bool holds = condition_read(r), missed = r->missed;
	struct reader_value yes, no;

	reader_expect(r, TOKEN_THEN);
	r->quiet += !holds;
	yes = expression_read(r);
	r->quiet -= !holds;
	reader_expect(r, TOKEN_ELSE);
	r->quiet += holds;
	no = expression_read(r);
	r->quiet -= holds;
	r->missed = missed;
	return holds ? yes : no;
}

static struct reader_value read_keyword(struct cat_reader *r)
{
	if (reader_accept(r, TOKEN_LET))
		return read_let(r);
	if (reader_accept(r, TOKEN_FUN))
		return read_function(r);
	if (reader_accept(r, TOKEN_TRY))
		return read_try(r);
	if (reader_accept(r, TOKEN_IF))
		return read_if(r);
	if (reader_type(r) == TOKEN_MATCH) {
		reader_refuse(r, r->at, "limit: `match' is not supported");
		return unknown;
	}
	return read_union(r);
}

struct reader_value expression_read(struct cat_reader *r)
{
	struct reader_value v;

	if (!reader_enter(r))
		return unknown;
	v = read_keyword(r);
	reader_leave(r);
	return v;
}

struct reader_value expression_typed(struct cat_reader *r, enum cat_type type)
{
	u32 token = r->at;
	struct reader_value v = expression_read(r);
	u16 node;

	if (r->failed || !as_node(r, v, token, &node) || !node)
		return unknown;
	node = node_as(&r->nodes, node, type);
	if (!node)
		reader_refuse(r, token, type == CAT_SET ? "wanted a set: this is a relation"
						      : "wanted a relation: this is a set");
	return value_node(node);
}
