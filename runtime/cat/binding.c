/* SPDX-License-Identifier: ISC */
/* binding.c - `let', `let rec' and patterns: names get values. See reader.h. */
#include "cat/reader.h"

#define GROUP_NAMES 64

/* --- patterns --------------------------------------------------------------------------------- */

void binding_unknown(struct cat_reader *r)
{
	u32 token;

	if (reader_type(r) == TOKEN_NAME) {
		token = r->at++;
		scope_bind(r, token, (struct reader_value){.kind = VALUE_UNKNOWN});
		return;
	}
	if (!reader_accept(r, '('))
		reader_expect(r, TOKEN_NAME);
	if (reader_accept(r, ')') || !reader_enter(r))
		return;
	do
		binding_unknown(r);
	while (reader_accept(r, ','));
	reader_leave(r);
	reader_expect(r, ')');
}

bool binding_pattern(struct cat_reader *r, struct reader_value v)
{
	bool one = v.kind != VALUE_TUPLE;
	u32 n = 0;

	if (reader_type(r) == TOKEN_NAME) {
		scope_bind(r, r->at++, v);
		return true;
	}
	if (!reader_accept(r, '('))
		return false;
	if (reader_accept(r, ')'))
		return v.kind == VALUE_UNKNOWN || (!one && !v.n);
	if (!reader_enter(r))
		return false;
	do {
		struct reader_value part = v.kind == VALUE_UNKNOWN || (one && !n) ? v
					   : !one && n < v.n
						   ? r->item[v.first + n]
						   : (struct reader_value){.kind = VALUE_PRIMITIVE};

		if (v.kind != VALUE_UNKNOWN && n >= (one ? 1 : v.n))
			break;
		n++;
		if (!binding_pattern(r, part))
			break;
	} while (reader_accept(r, ','));
	reader_leave(r);
	return reader_accept(r, ')') && (v.kind == VALUE_UNKNOWN || n == (one ? 1 : v.n));
}

/* --- let -------------------------------------------------------------------------------------- */

/* A name for reports and `heddle model show'. */
static void list_name(struct cat_reader *r, u32 token, struct reader_value v)
{
	struct cat *c = r->c;

	if (v.kind == VALUE_NODE && !r->inside && c->nnames < CAT_NODES)
		c->name[c->nnames++] = (struct cat_name){token, v.node};
}

/* NAME PATTERN = BODY, from the pattern on. */
static struct reader_value read_definition(struct cat_reader *r)
{
	struct reader_value f = {.kind = VALUE_FUNCTION, .first = r->at, .n = r->scope};
	u32 scope = r->scope;

	r->inside++;
	binding_unknown(r);
	reader_expect(r, '=');
	expression_read(r);
	r->inside--;
	r->scope = scope;
	return f;
}

static struct reader_value read_value(struct cat_reader *r)
{
	reader_expect(r, '=');
	return expression_read(r);
}

static bool is_function(const struct cat_reader *r)
{
	return reader_type(r) == TOKEN_NAME && r->c->token[r->at + 1].type != '=';
}

/* All values are those of the scope before. */
static void read_plain_binding(struct cat_reader *r)
{
	struct reader_value value[GROUP_NAMES];
	u32 pattern[GROUP_NAMES], n = 0, end;

	do {
		u32 scope = r->scope;

		if (n == GROUP_NAMES) {
			reader_refuse(r, r->at, "limit: more than 64 names");
			return;
		}
		pattern[n] = r->at;
		if (is_function(r)) {
			r->at++;
			value[n++] = read_definition(r);
			continue;
		}
		r->inside++;
		binding_unknown(r); /* passes the pattern */
		r->inside--;
		r->scope = scope;
		value[n++] = read_value(r);
	} while (reader_accept(r, TOKEN_WORD_AND));
	end = r->at;
	for (u32 i = 0; i < n && !r->failed; i++) {
		r->at = pattern[i];
		if (value[i].kind == VALUE_FUNCTION || reader_type(r) == TOKEN_NAME) {
			scope_bind(r, pattern[i], value[i]);
			list_name(r, pattern[i], value[i]);
		} else if (!binding_pattern(r, value[i])) {
			reader_refuse(r, pattern[i], "the names do not match the values");
		}
	}
	r->at = end;
}

/* The end of the definition that begins at the current token: the next `and', or what follows. */
static void skip_definition(struct cat_reader *r)
{
	r->quiet++;
	r->unchosen++;
	r->inside++;
	reader_expect(r, '=');
	expression_read(r);
	r->inside--;
	r->unchosen--;
	r->quiet--;
}

/* The names of a `let rec' are in scope with unknown values, or as variables. */
static u32 bind_group(struct cat_reader *r, u32 name[GROUP_NAMES], u16 var[GROUP_NAMES])
{
	bool missed = r->missed;
	u32 n = 0, start = r->at, scope = r->scope;

	do {
		if (n == GROUP_NAMES || r->c->ngroups == 255) {
			reader_refuse(r, r->at, "limit: too many names of `let rec'");
			return 0;
		}
		name[n] = reader_expect(r, TOKEN_NAME);
		if (!r->failed && reader_type(r) != '=') {
			reader_refuse(r, name[n], "limit: recursive functions are not supported");
			return 0;
		}
		skip_definition(r);
		n++;
	} while (reader_accept(r, TOKEN_WORD_AND));
	r->missed = missed;
	r->at = start;
	r->scope = scope;
	r->c->ngroups++;
	for (u32 i = 0; i < n && !r->failed; i++) {
		var[i] = node_var(&r->nodes, (u8)r->c->ngroups);
		if (!var[i]) {
			reader_refuse(r, name[i], "limit: more than 2000 different expressions");
			return 0;
		}
		scope_bind(r, name[i], value_node(var[i]));
	}
	return n;
}

static void refuse_unsolved(struct cat_reader *r, const u16 *var, u32 n)
{
	u16 node = recursion_unsolved(r->c, var, n);

	if (node)
		reader_refuse(r, r->c->node[node].token,
			r->c->node[node].op == CAT_DIFF
				? "recursion through the right side of `\\': no least solution"
				: "recursion through `~': no least solution");
}

static void read_recursive(struct cat_reader *r)
{
	u32 name[GROUP_NAMES], first = r->c->nnodes, n, body = 0;
	u16 var[GROUP_NAMES];

	n = bind_group(r, name, var);
	for (u32 i = 0; i < n && !r->failed; i++) {
		struct reader_value v;

		r->at += 2; /* NAME = */
		body = r->at;
		v = expression_read(r);
		reader_accept(r, TOKEN_WORD_AND);
		if (r->failed || v.kind == VALUE_UNKNOWN)
			continue;
		if (v.kind != VALUE_NODE)
			reader_refuse(r, body, "wanted a set or a relation");
		else if (!node_define(&r->nodes, var[i], v.node))
			reader_refuse(r, body,
				"the type of this definition differs from its uses");
		list_name(r, name[i], value_node(var[i]));
	}
	for (u32 i = 0; i < n; i++) {
		if (r->c->node[var[i]].type == CAT_ANY)
			node_as(&r->nodes, var[i], CAT_RELATION);
		r->c->first[r->c->node[var[i]].group] = (u16)first;
		r->c->end[r->c->node[var[i]].group] = (u16)r->c->nnodes;
	}
	if (!r->failed)
		refuse_unsolved(r, var, n);
}

void binding_read(struct cat_reader *r, bool recursive)
{
	if (recursive)
		read_recursive(r);
	else
		read_plain_binding(r);
}
