/* SPDX-License-Identifier: ISC */
/* cat_eval.c - see cat_eval.h. */
#include "model/file/cat_eval.h"

bool cat_fits(const struct cat_plan *p, u32 n)
{
	size_t words = (n + 63) / 64;

	return n <= (p->ordered ? ORDER_EVENTS : VIEW_EVENTS) &&
	       (p->nsets + p->nrelations * (size_t)n) * words * sizeof(u64) <= MATRIX_BYTES;
}

/* Sets first. */
u64 *cat_value(const struct cat_run *run, u32 node)
{
	const struct relation_frame *f = &run->v->frame;
	size_t slot = run->p->slot[node];

	if (run->c->node[node].type != CAT_SET)
		slot = run->p->nsets + slot * f->n;
	return f->free + slot * f->words;
}

/* --- rows ------------------------------------------------------------------------------------- */

#define INLINE static inline __attribute__((always_inline))

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
INLINE void eval_filter(u64 *to, const u64 *from_set, const u64 *r, const u64 *to_set, u32 n, u32 w)
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

/* --- an order of a set ------------------------------------------------------------------------ */

/* The set, and b+ between its members. */
static void know_order(const struct cat_run *run, u64 *scratch, const u64 *a, const u64 *b)
{
	struct cat_order *o = run->order;
	u32 n = run->v->frame.n, w = run->v->frame.words;

	o->known = true;
	o->cyclic = false;
	o->n = o->nplaced = 0;
	__builtin_memcpy(scratch, b, n * (size_t)w * sizeof *b);
	eval_plus(scratch, n, w);
	__builtin_memset(o->before, 0, n * sizeof o->before[0]);
	for (u32 k = 0; k < w; k++)
		o->set[k] = a[k];
	for (u32 i = 0; i < n; i++)
		o->n += in_set(a, i);
	for (u32 i = 0; i < n; i++)
		for (u32 j = 0; j < n && in_set(a, i); j++)
			if (in_set(a, j) && in_set(scratch + i * w, j)) {
				put_bit(o->before[j], i);
				o->cyclic |= i == j;
			}
}

/* Events that are placed come before those placed later, and before the rest of the set. */
static void eval_order(const struct cat_run *run, u64 *to, const u64 *a, const u64 *b)
{
	struct cat_order *o = run->order;
	u32 w = run->v->frame.words, n = run->v->frame.n;
	u64 rest[ORDER_EVENTS / 64];

	if (o && !o->known)
		know_order(run, to, a, b);
	__builtin_memset(to, 0, n * (size_t)w * sizeof *to);
	if (!o)
		return;
	__builtin_memcpy(rest, o->set, sizeof rest);
	for (u32 i = 0; i < o->nplaced; i++) {
		u32 e = o->placed[i];

		rest[e / 64] &= ~(1ull << e % 64);
		for (u32 k = 0; k < w; k++)
			to[e * w + k] = rest[k];
	}
}

INLINE void eval_node(const struct cat_run *run, u32 node, u32 w)
{
	const struct cat_node *x = &run->c->node[node];
	struct cat_view *v = run->v;
	bool has_operands = x->op > CAT_VAR;
	u64 *to = cat_value(run, node), *a = has_operands ? cat_value(run, x->a) : NULL,
	    *b = has_operands && x->b ? cat_value(run, x->b) : NULL;
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
	case CAT_ORDER: eval_order(run, to, a, b); break;
	case CAT_VAR:
	case CAT_OPS: break;
	}
}

static void eval_one(const struct cat_run *run, u32 node)
{
	if (likely(run->v->frame.words == 1))
		eval_node(run, node, 1);
	else
		eval_node(run, node, run->v->frame.words);
}

/* --- let rec ---------------------------------------------------------------------------------- */

static size_t value_words(const struct cat_run *run, const struct cat_node *x)
{
	return (x->type == CAT_SET ? 1 : run->v->frame.n) * (size_t)run->v->frame.words;
}

/* The variables of the group get the values of their definitions. Did one change? */
static bool assign_group(const struct cat_run *run, u32 group, bool empty)
{
	const struct cat_plan *p = run->p;
	bool changed = false;

	for (u32 i = p->group[group]; i < p->n && p->node[i] < run->c->end[group]; i++) {
		const struct cat_node *x = &run->c->node[p->node[i]];
		u64 *to;
		const u64 *from;

		if (x->op != CAT_VAR || x->group != group)
			continue;
		to = cat_value(run, p->node[i]);
		from = x->a ? cat_value(run, x->a) : NULL;
		for (size_t k = 0; k < value_words(run, x); k++) {
			u64 now = empty || !from ? 0 : from[k];

			changed |= to[k] != now;
			to[k] = now;
		}
	}
	return changed;
}

static u32 eval_group(const struct cat_run *run, u32 at, u32 group);

/* The plan's expression `at', or the whole group that begins with it; returns the one behind.
 * again: only nodes that depend on a `let rec'. */
static u32 eval_at(const struct cat_run *run, u32 at, u32 within, bool again)
{
	u32 node = run->p->node[at];
	const struct cat_node *x = &run->c->node[node];

	if (x->op == CAT_VAR && x->group != within)
		return eval_group(run, at, x->group);
	if (x->op != CAT_VAR && (!again || x->group))
		eval_one(run, node);
	return at + 1;
}

static u32 eval_group(const struct cat_run *run, u32 at, u32 group)
{
	u32 end;
	bool again = false;

	assign_group(run, group, true);
	do {
		for (end = at; end < run->p->n && run->p->node[end] < run->c->end[group];)
			end = eval_at(run, end, group, again);
		again = true;
	} while (assign_group(run, group, false));
	return end;
}

u32 cat_next(struct cat_run *run)
{
	const struct cat_plan *p = run->p;

	if (run->next == p->naxioms)
		return run->c->naxioms;
	while (run->at < p->due[run->next])
		run->at = eval_at(run, run->at, 0, false);
	return p->axiom[run->next++];
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
static bool has_relation_cycle(const u64 *r, u32 n, u32 w)
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

bool cat_holds(const struct cat_run *run, u32 axiom)
{
	const struct cat_axiom *x = &run->c->axiom[axiom];
	const struct relation_frame *f = &run->v->frame;
	const u64 *r = cat_value(run, x->node);
	u64 any = 0;
	bool holds;

	if (x->test == CAT_IS_EMPTY) {
		for (size_t k = 0; k < value_words(run, &run->c->node[x->node]); k++)
			any |= r[k];
		holds = !any;
	} else if (x->test == CAT_ACYCLIC) {
		holds = !has_relation_cycle(r, f->n, f->words);
	} else {
		holds = !is_reflexive(r, f->n, f->words);
	}
	return holds != x->negated;
}

/* With the events placed. */
static u32 first_broken_now(struct cat_run *run)
{
	u32 axiom;

	run->at = run->next = 0;
	while ((axiom = cat_next(run)) < run->c->naxioms)
		if (!cat_holds(run, axiom))
			break;
	return axiom;
}

/* May v be placed next? */
static bool is_next(const struct cat_order *o, u32 v)
{
	bool next = in_set(o->set, v);
	u64 placed[ORDER_EVENTS / 64] = {0};

	for (u32 i = 0; i < o->nplaced; i++)
		put_bit(placed, o->placed[i]);
	next &= !in_set(placed, v);
	for (u32 k = 0; k < ORDER_EVENTS / 64; k++)
		next &= !(o->before[v][k] & ~placed[k]);
	return next;
}

/*
 * Relations only grow as more is placed (cat/analysis.h: CAT_MONOTONE), so an axiom that is broken
 * stays broken; where they do not, only complete orders are judged.
 */
static u32 first_broken_from(struct cat_run *run, bool grows)
{
	struct cat_order *o = run->order;
	bool all = o->known && o->nplaced == o->n;
	u32 none = run->c->naxioms, broken = none;

	if (grows || all || !o->known)
		broken = first_broken_now(run);

	if (o->cyclic)
		return run->p->axiom[run->p->naxioms - 1];
	if (o->nplaced == o->n || (grows && broken != none))
		return broken;
	for (u32 v = 0; v < run->v->frame.n; v++) {
		if (!is_next(o, v))
			continue;
		o->placed[o->nplaced++] = (u16)v;
		broken = first_broken_from(run, grows);
		o->nplaced--;
		if (broken == none)
			return none;
	}
	return broken;
}

/* Do the relations of all axioms grow with the order? */
static bool grows(const struct cat_run *run)
{
	bool all = true;

	for (u32 i = 0; i < run->p->naxioms; i++) {
		const struct cat_axiom *x = &run->c->axiom[run->p->axiom[i]];

		all &= !x->negated && run->c->node[x->node].facts & CAT_MONOTONE;
	}
	return all;
}

u32 cat_first_broken(struct cat_run *run)
{
	static struct cat_order order;

	if (likely(!run->p->ordered))
		return first_broken_now(run);
	order.known = order.cyclic = false;
	order.n = order.nplaced = 0;
	run->order = &order;
	return first_broken_from(run, grows(run));
}
