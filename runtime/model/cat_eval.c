/* SPDX-License-Identifier: ISC */
/* cat_eval.c - see cat_eval.h. */
#include "model/cat_eval.h"

/* --- plans ------------------------------------------------------------------------------------ */

static void need_node(const struct cat *c, bool *needed, u32 node)
{
	u16 stack[CAT_NODES];
	u32 n = 0;

	if (!needed[node])
		stack[n++] = (u16)node;
	needed[node] = true;
	while (n) {
		const struct cat_node *x = &c->node[stack[--n]];
		bool has_operands = x->op >= CAT_VAR;
		u16 operand[2] = {has_operands ? x->a : 0, has_operands ? x->b : 0};

		for (u32 i = 0; i < 2; i++) {
			if (!operand[i] || needed[operand[i]])
				continue;
			needed[operand[i]] = true;
			stack[n++] = operand[i];
		}
	}
}

static void fill_plan(const struct cat *c, struct cat_plan *p, const bool *needed)
{
	p->n = 0;
	for (u32 i = 1; i < c->nnodes; i++) {
		if (!needed[i])
			continue;
		p->slot[i] = (u16)p->n;
		p->node[p->n++] = (u16)i;
	}
	for (u32 g = 1; g <= c->ngroups; g++) {
		p->group[g] = 0;
		while (p->group[g] < p->n && p->node[p->group[g]] < c->first[g])
			p->group[g]++;
	}
}

/* The most events in view whose relations fit into the matrices of a graph. */
static u32 most_events(const struct cat_plan *p)
{
	u32 n = 64;

	while (n < VIEW_EVENTS &&
		(p->n + 1) * (size_t)(n + 64) * ((n + 64) / 64) * sizeof(u64) <= MATRIX_BYTES)
		n += 64;
	return n;
}

void cat_plan_model(struct cat_model *m)
{
	const struct cat *c = &m->cat;
	bool needed[CAT_NODES] = {false}, all[CAT_NODES] = {false};
	u32 share = 2; /* initial writes */

	m->has_end = m->has_flags = false;
	for (u32 i = 0; i < c->naxioms; i++) {
		const struct cat_axiom *x = &c->axiom[i];

		if (x->when == CAT_PRUNES)
			need_node(c, needed, x->node);
		need_node(c, all, x->node);
		m->has_end |= x->when == CAT_AT_END && x->kind == CAT_REQUIRED;
		m->has_flags |= x->kind == CAT_FLAG || x->kind == CAT_UNDEFINED;
	}
	fill_plan(c, &m->prunes, needed);
	fill_plan(c, &m->all, all);
	for (u32 k = 0; k < MAP_KINDS * MAP_ORDERS; k++)
		if (c->map.of[k / MAP_ORDERS][k % MAP_ORDERS].before |
			c->map.of[k / MAP_ORDERS][k % MAP_ORDERS].after)
			share = 4;
	for (u32 i = 0; i < m->all.n; i++) {
		const struct cat_node *x = &c->node[m->all.node[i]];

		m->cat.has_dependencies |= x->op == CAT_BASE &&
			(x->a == CAT_BASE_addr || x->a == CAT_BASE_data || x->a == CAT_BASE_ctrl);
	}
	m->max_events = most_events(&m->all) / share;
}

/* --- rows ------------------------------------------------------------------------------------- */

#define INLINE static inline __attribute__((always_inline))

u64 *cat_value(const struct cat_view *v, const struct cat_plan *p, u32 node)
{
	return v->frame.free + p->slot[node] * (size_t)v->frame.n * v->frame.words;
}

/* The bits of word k that are events. */
INLINE u64 valid_bits(u32 n, u32 k)
{
	return n >= 64 * (k + 1) ? ~0ull : (1ull << (n - 64 * k)) - 1;
}

INLINE bool in_set(const u64 *set, u32 i)
{
	return set[i / 64] >> i % 64 & 1;
}

INLINE void put_bit(u64 *set, u32 i)
{
	set[i / 64] |= 1ull << i % 64;
}

/* --- operators; n events, w words a row ------------------------------------------------------- */

INLINE void eval_seq(u64 *to, const u64 *a, const u64 *b, u32 n, u32 w)
{
	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < w; k++)
			for (u64 row = a[i * w + k]; row; row &= row - 1) {
				u32 j = 64 * k + (u32)__builtin_ctzll(row);

				for (u32 l = 0; l < w; l++)
					to[i * w + l] |= b[j * w + l];
			}
}

INLINE void eval_plus(u64 *r, u32 n, u32 w)
{
	for (u32 k = 0; k < n; k++) {
		u64 any = 0;

		for (u32 l = 0; l < w; l++)
			any |= r[k * w + l];
		if (!any)
			continue;
		for (u32 i = 0; i < n; i++) {
			u64 mask = -(r[i * w + k / 64] >> k % 64 & 1);

			for (u32 l = 0; l < w; l++)
				r[i * w + l] |= r[k * w + l] & mask;
		}
	}
}

INLINE void eval_inverse(u64 *to, const u64 *a, u32 n, u32 w)
{
	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < w; k++)
			for (u64 row = a[i * w + k]; row; row &= row - 1)
				put_bit(to + (64 * k + (u32)__builtin_ctzll(row)) * w, i);
}

INLINE void eval_domain(u64 *to, const u64 *a, u32 n, u32 w)
{
	for (u32 i = 0; i < n; i++) {
		u64 any = 0;

		for (u32 k = 0; k < w; k++)
			any |= a[i * w + k];
		if (any)
			put_bit(to, i);
	}
}

/* Element by element; `size' words. */
INLINE void eval_words(enum cat_op op, u64 *to, const u64 *a, const u64 *b, u32 size)
{
	for (u32 k = 0; k < size; k++)
		to[k] = op == CAT_UNION	  ? a[k] | b[k]
			: op == CAT_INTER ? a[k] & b[k]
					  : a[k] & ~b[k];
}

INLINE void eval_not(u64 *to, const u64 *a, u32 rows, u32 n, u32 w)
{
	for (u32 i = 0; i < rows; i++)
		for (u32 k = 0; k < w; k++)
			to[i * w + k] = ~a[i * w + k] & valid_bits(n, k);
}

/* Rows of the set get those of r, if there is one, restricted to the set `to_set', if there is
 * one. */
INLINE void eval_filter(
	u64 *to, const u64 *from_set, const u64 *r, const u64 *to_set, u32 n, u32 w)
{
	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < w; k++)
			to[i * w + k] = from_set && !in_set(from_set, i)
						? 0
						: (r ? r[i * w + k] : valid_bits(n, k)) &
							  (to_set ? to_set[k] : ~0ull);
}

INLINE void add_identity(u64 *r, const u64 *set, u32 n, u32 w)
{
	for (u32 i = 0; i < n; i++)
		if (!set || in_set(set, i))
			put_bit(r + i * w, i);
}

INLINE void eval_node(
	struct cat_view *v, const struct cat *c, const struct cat_plan *p, u32 node, u32 w)
{
	const struct cat_node *x = &c->node[node];
	bool has_operands = x->op > CAT_VAR;
	u64 *to = cat_value(v, p, node), *a = has_operands ? cat_value(v, p, x->a) : NULL,
	    *b = has_operands && x->b ? cat_value(v, p, x->b) : NULL;
	u32 n = v->frame.n, size = x->type == CAT_SET ? w : n * w;

	if (x->op < CAT_UNION || (x->op >= CAT_SEQ && x->op <= CAT_RANGE))
		__builtin_memset(to, 0, size * sizeof *to);
	switch ((enum cat_op)x->op) {
	case CAT_EMPTY: break;
	case CAT_UNIVERSE: eval_not(to, to, x->type == CAT_SET ? 1 : n, n, w); break;
	case CAT_TAG: cat_view_tag(v, x->a, to); break;
	case CAT_BASE: cat_view_base(v, x->a, to); break;
	case CAT_UNION:
	case CAT_INTER:
	case CAT_DIFF: eval_words(x->op, to, a, b, size); break;
	case CAT_NOT: eval_not(to, a, x->type == CAT_SET ? 1 : n, n, w); break;
	case CAT_SEQ: eval_seq(to, a, b, n, w); break;
	case CAT_PLUS:
	case CAT_STAR:
	case CAT_OPT:
		__builtin_memcpy(to, a, size * sizeof *to);
		if (x->op != CAT_OPT)
			eval_plus(to, n, w);
		if (x->op != CAT_PLUS)
			add_identity(to, NULL, n, w);
		break;
	case CAT_INVERSE: eval_inverse(to, a, n, w); break;
	case CAT_ID: add_identity(to, a, n, w); break;
	case CAT_PRODUCT: eval_filter(to, a, NULL, b, n, w); break;
	case CAT_DOMAIN: eval_domain(to, a, n, w); break;
	case CAT_RANGE:
		for (u32 i = 0; i < n * w; i++)
			to[i % w] |= a[i];
		break;
	case CAT_FROM: eval_filter(to, a, b, NULL, n, w); break;
	case CAT_TO: eval_filter(to, NULL, a, b, n, w); break;
	case CAT_VAR:
	case CAT_OPS: break;
	}
}

static void eval_one(struct cat_view *v, const struct cat *c, const struct cat_plan *p, u32 node)
{
	if (likely(v->frame.words == 1))
		eval_node(v, c, p, node, 1);
	else
		eval_node(v, c, p, node, v->frame.words);
}

/* --- let rec ---------------------------------------------------------------------------------- */

static size_t value_words(const struct cat_view *v, const struct cat_node *x)
{
	return (x->type == CAT_SET ? 1 : v->frame.n) * (size_t)v->frame.words;
}

/* The variables of the group get the values of their definitions. Did one change? */
static bool assign_group(
	struct cat_view *v, const struct cat *c, const struct cat_plan *p, u32 group, bool empty)
{
	bool changed = false;

	for (u32 i = p->group[group]; i < p->n && p->node[i] < c->end[group]; i++) {
		const struct cat_node *x = &c->node[p->node[i]];
		u64 *to = cat_value(v, p, p->node[i]);
		const u64 *from = cat_value(v, p, x->a);

		if (x->op != CAT_VAR || x->group != group)
			continue;
		for (size_t k = 0; k < value_words(v, x); k++) {
			u64 now = empty || !x->a ? 0 : from[k];

			changed |= to[k] != now;
			to[k] = now;
		}
	}
	return changed;
}

static u32 eval_group(
	struct cat_view *v, const struct cat *c, const struct cat_plan *p, u32 at, u32 group);

/* Expressions from `at' on, below the node `end'; returns the first one behind. again: only those
 * that depend on a `let rec'. */
static u32 eval_range(struct cat_view *v, const struct cat *c, const struct cat_plan *p, u32 at,
	u32 end, u32 within, bool again)
{
	while (at < p->n && p->node[at] < end) {
		const struct cat_node *x = &c->node[p->node[at]];

		if (x->op == CAT_VAR && x->group != within) {
			at = eval_group(v, c, p, at, x->group);
			continue;
		}
		if (x->op != CAT_VAR && (!again || x->group))
			eval_one(v, c, p, p->node[at]);
		at++;
	}
	return at;
}

static u32 eval_group(
	struct cat_view *v, const struct cat *c, const struct cat_plan *p, u32 at, u32 group)
{
	u32 end;
	bool again = false;

	assign_group(v, c, p, group, true);
	do {
		end = eval_range(v, c, p, at, c->end[group], group, again);
		again = true;
	} while (assign_group(v, c, p, group, false));
	return end;
}

void cat_evaluate(struct cat_view *v, const struct cat *c, const struct cat_plan *p)
{
	eval_range(v, c, p, 0, CAT_NODES, 0, false);
}

/* --- axioms ----------------------------------------------------------------------------------- */

static bool is_reflexive(const u64 *r, u32 n, u32 w)
{
	for (u32 i = 0; i < n; i++)
		if (in_set(r + i * w, i))
			return true;
	return false;
}

/* Take away events without successors, until there are none: is something left? */
static bool has_cycle(const u64 *r, u32 n, u32 w)
{
	u64 alive[VIEW_EVENTS / 64];
	bool changed = true, any = false;

	for (u32 k = 0; k < w; k++)
		alive[k] = valid_bits(n, k);
	while (changed) {
		changed = any = false;
		for (u32 i = n; i--;) {
			u64 next = 0;

			if (!in_set(alive, i))
				continue;
			for (u32 k = 0; k < w; k++)
				next |= r[i * w + k] & alive[k];
			any |= next != 0;
			if (next)
				continue;
			alive[i / 64] &= ~(1ull << i % 64);
			changed = true;
		}
	}
	return any;
}

bool cat_holds(const struct cat_view *v, const struct cat *c, const struct cat_plan *p,
	const struct cat_axiom *x)
{
	const u64 *r = cat_value(v, p, x->node);
	u64 any = 0;
	bool holds;

	if (x->test == CAT_IS_EMPTY) {
		for (size_t k = 0; k < value_words(v, &c->node[x->node]); k++)
			any |= r[k];
		holds = !any;
	} else if (x->test == CAT_ACYCLIC) {
		holds = !has_cycle(r, v->frame.n, v->frame.words);
	} else {
		holds = !is_reflexive(r, v->frame.n, v->frame.words);
	}
	return holds != x->negated;
}
