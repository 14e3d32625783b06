/* SPDX-License-Identifier: ISC */
/* words.c - see words.h. */
#include "cat/words.h"

/* How tightly operators bind, as in the grammar. */
enum {
	BINDS_UNION = 1,
	BINDS_SEQ,
	BINDS_DIFF,
	BINDS_INTER,
	BINDS_PRODUCT,
	BINDS_PREFIX,
	BINDS_ALL
};

static const struct {
	u8 binds;
	const char *before, *between, *after;
} shapes[CAT_OPS] = {
	[CAT_UNION] = {BINDS_UNION, "", " | ", ""},
	[CAT_INTER] = {BINDS_INTER, "", " & ", ""},
	[CAT_DIFF] = {BINDS_DIFF, "", " \\ ", ""},
	[CAT_NOT] = {BINDS_PREFIX, "~", NULL, ""},
	[CAT_SEQ] = {BINDS_SEQ, "", "; ", ""},
	[CAT_PLUS] = {BINDS_ALL, "", NULL, "+"},
	[CAT_STAR] = {BINDS_ALL, "", NULL, "*"},
	[CAT_OPT] = {BINDS_ALL, "", NULL, "?"},
	[CAT_INVERSE] = {BINDS_ALL, "", NULL, "^-1"},
	[CAT_ID] = {0, "[", NULL, "]"},
	[CAT_PRODUCT] = {BINDS_PRODUCT, "", " * ", ""},
	[CAT_DOMAIN] = {BINDS_ALL, "domain ", NULL, ""},
	[CAT_RANGE] = {BINDS_ALL, "range ", NULL, ""},
	[CAT_FROM] = {BINDS_SEQ, "[", "]; ", ""},
	[CAT_TO] = {BINDS_SEQ, "", "; [", "]"},
	[CAT_ORDER] = {BINDS_ALL, "linearisations(", ", ", ")"},
};

#define DEEPEST 24

static bool is_library(const struct cat *c, u32 token)
{
	return c->source[c->token[token].source].library;
}

const struct cat_name *cat_name_of(const struct cat *c, u32 node, bool own)
{
	for (u32 i = c->nnames; i-- && c->node[node].op >= CAT_VAR;)
		if (c->name[i].node == node && !(own && is_library(c, c->name[i].token)))
			return &c->name[i];
	return NULL;
}

static void put_token(const struct cat *c, u32 token, struct text *to)
{
	u32 n;
	const char *text = cat_text(c, token, &n);

	text_put_n(to, text, n);
}

/* One without operands. */
static void put_leaf(const struct cat *c, const struct cat_node *x, struct text *to)
{
	if (x->op == CAT_EMPTY)
		text_put(to, "0");
	else if (x->op == CAT_UNIVERSE)
		text_put(to, "_");
	else if (x->op == CAT_BASE)
		text_put(to, cat_base_name(x->a));
	else if (x->op == CAT_TAG)
		text_put(to, map_tag_name(&c->map, x->a));
	else
		put_token(c, x->token, to);
}

static void put_node(const struct cat *c, u32 node, u32 binds, bool whole, u32 depth,
	struct text *to)
{
	const struct cat_node *x = &c->node[node];
	const struct cat_name *name =
		whole && x->op != CAT_VAR ? NULL : cat_name_of(c, node, false);
	bool filter_a = x->op == CAT_FROM, filter_b = x->op == CAT_TO, paren;
	u32 own = shapes[x->op].binds;

	if (name || !depth) {
		if (name)
			put_token(c, name->token, to);
		else
			text_put(to, "...");
		return;
	}
	if (x->op <= CAT_VAR) {
		put_leaf(c, x, to);
		return;
	}
	if (x->op == CAT_ORDER)
		own = 0; /* within its parentheses */
	paren = own && own < binds;
	text_put(to, paren ? "(" : "");
	text_put(to, shapes[x->op].before);
	put_node(c, x->a, filter_a || x->op == CAT_ID ? 0 : own, false, depth - 1, to);
	if (shapes[x->op].between) {
		/* From the left: a \ b \ c, but a \ (b \ c). */
		bool right = x->op == CAT_DIFF || x->op == CAT_PRODUCT;

		text_put(to, shapes[x->op].between);
		put_node(c, x->b, filter_b ? 0 : own + right, false, depth - 1, to);
	}
	text_put(to, shapes[x->op].after);
	text_put(to, paren ? ")" : "");
}

void cat_words(const struct cat *c, u32 node, bool whole, struct text *to)
{
	put_node(c, node, 0, whole, DEEPEST, to);
}

/* --- axioms that are checked late ------------------------------------------------------------- */

#define GOOD (CAT_MONOTONE | CAT_NEW_LAST | CAT_NEW_IN)

/* The operand that lacks a fact which the node lacks, too; 0: both have it. */
static u32 lacking(const struct cat *c, const struct cat_node *x, u32 fact)
{
	u16 operand[2];

	cat_operands(x, operand);
	for (u32 i = 0; i < 2; i++)
		if (operand[i] && c->node[operand[i]].type == CAT_RELATION &&
			!(c->node[operand[i]].facts & fact))
			return operand[i];
	return 0;
}

u32 cat_late_part(const struct cat *c, u32 axiom)
{
	const struct cat_axiom *x = &c->axiom[axiom];
	u32 node = x->node, next = node, left = CAT_NODES;
	u32 lacks = GOOD & ~c->node[node].facts;

	if (x->negated || x->test == CAT_IS_EMPTY || !lacks)
		return 0;
	lacks &= -lacks; /* one of them */
	while (next && left--) {
		node = next;
		next = c->node[node].op == CAT_VAR ? 0 : lacking(c, &c->node[node], lacks);
	}
	return node;
}
