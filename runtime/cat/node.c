/* SPDX-License-Identifier: ISC */
/* node.c - see node.h. */
#include "cat/node.h"
#include "base/table.h"

/* The type of the result, and those of the operands; CAT_ANY: of both, the same. */
static const struct shape {
	u8 result, a, b, operands;
} shapes[CAT_OPS] = {
	[CAT_UNION] = {CAT_ANY, CAT_ANY, CAT_ANY, 2},
	[CAT_INTER] = {CAT_ANY, CAT_ANY, CAT_ANY, 2},
	[CAT_DIFF] = {CAT_ANY, CAT_ANY, CAT_ANY, 2},
	[CAT_NOT] = {CAT_ANY, CAT_ANY, 0, 1},
	[CAT_SEQ] = {CAT_RELATION, CAT_RELATION, CAT_RELATION, 2},
	[CAT_PLUS] = {CAT_RELATION, CAT_RELATION, 0, 1},
	[CAT_STAR] = {CAT_RELATION, CAT_RELATION, 0, 1},
	[CAT_OPT] = {CAT_RELATION, CAT_RELATION, 0, 1},
	[CAT_INVERSE] = {CAT_RELATION, CAT_RELATION, 0, 1},
	[CAT_ID] = {CAT_RELATION, CAT_SET, 0, 1},
	[CAT_PRODUCT] = {CAT_RELATION, CAT_SET, CAT_SET, 2},
	[CAT_DOMAIN] = {CAT_SET, CAT_RELATION, 0, 1},
	[CAT_RANGE] = {CAT_SET, CAT_RELATION, 0, 1},
	[CAT_FROM] = {CAT_RELATION, CAT_SET, CAT_RELATION, 2},
	[CAT_TO] = {CAT_RELATION, CAT_RELATION, CAT_SET, 2},
	[CAT_ORDER] = {CAT_RELATION, CAT_SET, CAT_RELATION, 2},
};

static u32 hash(const struct cat_node *x)
{
	u32 h = x->op * 31u + x->type;

	h = h * 1000003u + x->a;
	h = h * 1000003u + x->b;
	return h ^ h >> 15;
}

/* Variables are never equal. */
static bool same_node(const struct cat_node *x, const struct cat_node *y)
{
	return x->op == y->op && x->type == y->type && x->a == y->a && x->b == y->b &&
	       x->op != CAT_VAR;
}

/* The node, or an equal one. */
static u16 intern_node(struct cat_nodes *n, struct cat_node x)
{
	struct cat *c = n->c;
	u32 at;

	TABLE_FIND(at, hash(&x), NODE_BUCKETS,
		!n->bucket[at] || same_node(&x, &c->node[n->bucket[at]]));
	if (n->bucket[at])
		return n->bucket[at];
	if (c->nnodes >= CAT_NODES)
		return NODE_WRONG;
	x.token = n->token;
	c->node[c->nnodes] = x;
	n->bucket[at] = (u16)c->nnodes;
	return (u16)c->nnodes++;
}

u16 node_constant(struct cat_nodes *n, enum cat_op op, enum cat_type type)
{
	return intern_node(n, (struct cat_node){.op = (u8)op, .type = (u8)type});
}

static const struct cat_node *node_at(const struct cat_nodes *n, u32 node)
{
	return &n->c->node[node];
}

u16 node_as(struct cat_nodes *n, u16 node, enum cat_type type)
{
	struct cat_node *x = &n->c->node[node];

	if (!node || x->type == type || type == CAT_ANY)
		return node;
	if (x->type != CAT_ANY)
		return NODE_WRONG;
	if (x->op == CAT_EMPTY || x->op == CAT_UNIVERSE)
		return node_constant(n, x->op, type);
	x->type = (u8)type;
	if (x->op == CAT_VAR && x->a)
		x->a = node_as(n, x->a, type);
	if (shapes[x->op].operands && shapes[x->op].a == CAT_ANY) {
		u16 a = node_as(n, x->a, type), b = x->b ? node_as(n, x->b, type) : 0;

		n->c->node[node].a = a;
		n->c->node[node].b = b;
	}
	return node;
}

/* Both operands get one type. */
static bool unify(struct cat_nodes *n, u16 *a, u16 *b)
{
	enum cat_type of_a = node_at(n, *a)->type, of_b = node_at(n, *b)->type;

	if (of_a == of_b)
		return true;
	if (of_a == CAT_ANY)
		*a = node_as(n, *a, of_b);
	else
		*b = node_as(n, *b, of_a);
	return *a && *b;
}

/* --- equal expressions ------------------------------------------------------------------------ */

static bool is_op(const struct cat_nodes *n, u32 node, enum cat_op op)
{
	return node_at(n, node)->op == op;
}

/* rf^-1;co is fr. */
static bool is_from_read(const struct cat_nodes *n, u16 a, u16 b)
{
	const struct cat_node *inverse = node_at(n, a), *co = node_at(n, b);

	return inverse->op == CAT_INVERSE && is_op(n, inverse->a, CAT_BASE) &&
	       node_at(n, inverse->a)->a == CAT_BASE_rf && co->op == CAT_BASE &&
	       co->a == CAT_BASE_co;
}

static u16 simple_seq(struct cat_nodes *n, u16 a, u16 b)
{
	if (is_op(n, a, CAT_EMPTY))
		return a;
	if (is_op(n, b, CAT_EMPTY))
		return b;
	if (is_op(n, a, CAT_ID) && is_op(n, b, CAT_ID))
		return node_make(n, CAT_ID,
			node_make(n, CAT_INTER, node_at(n, a)->a, node_at(n, b)->a), 0);
	if (is_op(n, a, CAT_ID))
		return node_make(n, CAT_FROM, node_at(n, a)->a, b);
	if (is_op(n, b, CAT_ID))
		return node_make(n, CAT_TO, a, node_at(n, b)->a);
	if (is_from_read(n, a, b))
		return intern_node(n, (struct cat_node){
					   .op = CAT_BASE, .type = CAT_RELATION, .a = CAT_BASE_fr});
	return NODE_WRONG;
}

static u16 simple_inter(struct cat_nodes *n, u16 a, u16 b)
{
	if (is_op(n, a, CAT_EMPTY) || is_op(n, b, CAT_UNIVERSE) || a == b)
		return a;
	if (is_op(n, b, CAT_EMPTY) || is_op(n, a, CAT_UNIVERSE))
		return b;
	if (is_op(n, b, CAT_PRODUCT))
		return node_make(n, CAT_FROM, node_at(n, b)->a,
			node_make(n, CAT_TO, a, node_at(n, b)->b));
	if (is_op(n, a, CAT_PRODUCT))
		return simple_inter(n, b, a);
	return NODE_WRONG;
}

/* An expression that is the same, and simpler; NODE_WRONG: there is none. */
static u16 simplify(struct cat_nodes *n, enum cat_op op, u16 a, u16 b)
{
	switch (op) {
	case CAT_UNION:
		if (is_op(n, b, CAT_EMPTY) || a == b)
			return a;
		return is_op(n, a, CAT_EMPTY) ? b : NODE_WRONG;
	case CAT_INTER: return simple_inter(n, a, b);
	case CAT_DIFF: return is_op(n, b, CAT_EMPTY) || is_op(n, a, CAT_EMPTY) ? a : NODE_WRONG;
	case CAT_SEQ: return simple_seq(n, a, b);
	case CAT_PLUS:
	case CAT_OPT:
		return is_op(n, a, op) ? a : NODE_WRONG;
	case CAT_FROM:
		return is_op(n, a, CAT_UNIVERSE) || is_op(n, b, CAT_EMPTY) ? b : NODE_WRONG;
	case CAT_TO:
		return is_op(n, b, CAT_UNIVERSE) || is_op(n, a, CAT_EMPTY) ? a : NODE_WRONG;
	case CAT_INVERSE: return is_op(n, a, CAT_INVERSE) ? node_at(n, a)->a : NODE_WRONG;
	default: return NODE_WRONG;
	}
}

u16 node_make(struct cat_nodes *n, enum cat_op op, u32 first, u32 second)
{
	const struct shape *s = &shapes[op];
	u16 a = (u16)first, b = (u16)second, same;
	struct cat_node x = {.op = (u8)op, .type = s->result};

	if (!s->operands) {
		x.type = op == CAT_TAG ? CAT_SET : CAT_RELATION;
		x.a = a;
		return intern_node(n, x);
	}
	if (!a || (s->operands == 2 && !b))
		return NODE_WRONG;
	if (s->a == CAT_ANY) {
		if (s->operands == 2 && !unify(n, &a, &b))
			return NODE_WRONG;
		x.type = node_at(n, a)->type;
	} else {
		a = node_as(n, a, s->a);
		b = s->operands == 2 ? node_as(n, b, s->b) : 0;
		if (!a || (s->operands == 2 && !b))
			return NODE_WRONG;
	}
	same = simplify(n, op, a, b);
	if (same)
		return same;
	x.a = a;
	x.b = b;
	x.group = node_at(n, a)->group > (b ? node_at(n, b)->group : 0) ? node_at(n, a)->group
							      : (u8)(b ? node_at(n, b)->group : 0);
	return intern_node(n, x);
}

u16 node_var(struct cat_nodes *n, u8 group)
{
	return intern_node(n, (struct cat_node){.op = CAT_VAR, .type = CAT_ANY, .group = group});
}

bool node_define(struct cat_nodes *n, u16 var, u16 definition)
{
	struct cat_node *v = &n->c->node[var];

	if (v->type == CAT_ANY)
		v->type = n->c->node[definition].type;
	definition = node_as(n, definition, v->type);
	if (!definition)
		return false;
	n->c->node[var].a = definition;
	return true;
}
