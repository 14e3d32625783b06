/* SPDX-License-Identifier: ISC */
/* translate.c - see translate.h. */
#include "kater/translate.h"

#include <string.h>

#include "cat/words.h"
#include "die.h"
#include "kater/claim.h"
#include "kater/filter.h"

#define READS  kinds_of(KINDS_READS)
#define WRITES kinds_of(KINDS_WRITES)

static enum bound opposite(enum bound b)
{
	return b == BOUND_ABOVE ? BOUND_BELOW : BOUND_ABOVE;
}

static void note_bound(struct translator *t, u32 node, enum bound b)
{
	for (u32 i = 0; i < t->nnotes[b]; i++)
		if (t->note[b][i] == node)
			return;
	if (t->nnotes[b] < TRANSLATE_NOTES)
		t->note[b][t->nnotes[b]++] = (u16)node;
}

static const struct term *refuse_node(struct translator *t, u32 node)
{
	struct cat_where w = cat_where_token(t->c, t->c->node[node].token);
	char words[100];
	struct text to = text_begin(words, sizeof words);

	cat_words(t->c, node, true, &to);
	if (!t->wrong)
		t->wrong = xprintf("%s:%u:%u: `%s' is not a regular expression of po, rf, co, fr, "
				   "dependencies and sets",
			w.file, w.number, w.column, words);
	return term_none();
}

bool translate_begin(struct translator *t, const struct cat *c)
{
	t->c = c;
	for (u32 b = 0; b < 2; b++)
		for (u32 d = 0; d <= TRANSLATE_DEPTH; d++)
			t->memo[b][d] = xmalloc(CAT_NODES * sizeof(*t->memo[b][d]));
	if (kind_view(&t->view, &c->map))
		return true;
	t->wrong = xprintf("%s: more than %u different fences beside accesses", c->source[0].name,
		64 - KIND_VIRTUAL);
	return false;
}

static const struct term *translate_at(struct translator *t, u32 node, enum bound b, u32 depth);

/* --- sets ------------------------------------------------------------------------------------- */

/* The tests around a single letter rmw. */
static bool is_rmw_step(const struct term *e, kinds *source, kinds *target)
{
	switch (e->op) {
	case TERM_LETTERS: *source = *target = ~0ull; return e->set == L(RMW);
	case TERM_SEQ: break;
	default: return false;
	}
	if (e->a->op == TERM_TEST && is_rmw_step(e->b, source, target)) {
		*source &= e->a->set;
		return true;
	}
	if (e->b->op == TERM_TEST && is_rmw_step(e->a, source, target)) {
		*target &= e->b->set;
		return true;
	}
	return false;
}

/* Events on one side of a relation: exact of the halves of read-modify-writes. */
static kinds set_of_side(struct translator *t, u32 node, enum bound b, u32 depth, bool range)
{
	const struct term *e = translate_at(t, t->c->node[node].a, b, depth);
	kinds source, target, all = 0;

	if (term_is_empty(e))
		return 0;
	if (!is_rmw_step(e, &source, &target)) {
		note_bound(t, node, b);
		return b == BOUND_ABOVE ? ~0ull : 0;
	}
	for (u32 k = 0; k < KIND_VIRTUAL; k++)
		if (kind_table[k].op == KIND_RMW_READ && source >> k & 1 &&
			target >> kind_partner(k) & 1)
			all |= 1ull << (range ? kind_partner(k) : k);
	return all;
}

static kinds set_of(struct translator *t, u32 node, enum bound b, u32 depth)
{
	const struct cat_node *x = &t->c->node[node];

	switch (x->op) {
	case CAT_EMPTY: return 0;
	case CAT_UNIVERSE: return ~0ull;
	case CAT_TAG: return kind_tagged(&t->view, x->a);
	case CAT_UNION: return set_of(t, x->a, b, depth) | set_of(t, x->b, b, depth);
	case CAT_INTER: return set_of(t, x->a, b, depth) & set_of(t, x->b, b, depth);
	case CAT_DIFF: return set_of(t, x->a, b, depth) & ~set_of(t, x->b, opposite(b), depth);
	case CAT_NOT: return ~set_of(t, x->a, opposite(b), depth);
	case CAT_DOMAIN: return set_of_side(t, node, b, depth, false);
	case CAT_RANGE: return set_of_side(t, node, b, depth, true);
	}
	note_bound(t, node, b);
	return b == BOUND_ABOVE ? ~0ull : 0;
}

/* --- filters ---------------------------------------------------------------------------------- */

/* The node as a condition on single edges. False: it is none. */
static bool filter_of(struct translator *t, u32 node, struct filter *f)
{
	const struct cat_node *x = &t->c->node[node];
	struct filter g;
	kinds s, r;

	switch (x->op) {
	case CAT_EMPTY: *f = filter_not(filter_all()); return true;
	case CAT_UNIVERSE: *f = filter_all(); return true;
	case CAT_BASE:
		if (x->a == CAT_BASE_loc)
			*f = filter_loc();
		else if (x->a == CAT_BASE_int)
			*f = filter_int();
		else if (x->a == CAT_BASE_ext)
			*f = filter_not(filter_int());
		else if (x->a == CAT_BASE_id)
			*f = filter_id();
		else
			return false;
		return true;
	case CAT_PRODUCT:
		s = set_of(t, x->a, BOUND_ABOVE, 0);
		r = set_of(t, x->b, BOUND_ABOVE, 0);
		*f = filter_product(s, r);
		return s == set_of(t, x->a, BOUND_BELOW, 0) && r == set_of(t, x->b, BOUND_BELOW, 0);
	case CAT_NOT:
		if (!filter_of(t, x->a, &g))
			return false;
		*f = filter_not(g);
		return f->n <= FILTER_TERMS;
	case CAT_INVERSE:
		if (!filter_of(t, x->a, &g))
			return false;
		*f = filter_inverse(g);
		return true;
	case CAT_UNION:
	case CAT_INTER:
	case CAT_DIFF:
		if (!filter_of(t, x->a, f) || !filter_of(t, x->b, &g))
			return false;
		*f = x->op == CAT_UNION	  ? filter_union(*f, g)
		     : x->op == CAT_INTER ? filter_inter(*f, g)
					  : filter_inter(*f, filter_not(g));
		return f->n <= FILTER_TERMS;
	}
	return false;
}

/*
 * e & loc, where e never contradicts rf, co and fr: from write to write it is in co, from read to
 * write in fr. From read to read: if e ends with rf, and what comes before does not contradict them
 * either, that leads to a write behind in fr.
 */
static const struct term *agreeing(struct translator *t, const struct term *e)
{
	const struct term *r = term_test(READS), *w = term_test(WRITES),
			  *rf = term_letters(LETTERS_RF), *co = term_letters(LETTERS_CO),
			  *fr = term_letters(LETTERS_FR), *reads, *before;

	if (!t->by_order)
		return term_union(term_union(co, fr), term_seq(e, r));
	reads = term_seq(r, term_seq(e, r));
	before = term_before(e, LETTERS_RF);
	if (t->agrees(t->ctx, term_seq(r, term_seq(before, w))))
		reads = term_union(
			term_seq(fr, rf), term_seq(r, term_seq(term_not_before(e, LETTERS_RF), r)));
	reads = term_union(reads, term_union(rf, term_seq(co, rf)));
	return term_union(term_union(co, fr), reads);
}

static const struct term *filtered(
	struct translator *t, u32 node, u32 of, const struct filter *f, enum bound b, u32 depth)
{
	const struct term *e = translate_at(t, of, b, depth), *to;
	bool exact = true;

	to = filter_apply(f, e, b == BOUND_ABOVE, &exact);
	if (exact)
		return to;
	note_bound(t, node, b);
	if (b == BOUND_ABOVE && filter_is_loc(f) && t->agrees && t->agrees(t->ctx, e))
		return agreeing(t, e);
	return to;
}

static bool is_step(const struct term *e)
{
	return e->op <= TERM_LETTERS ||
	       (e->op == TERM_SEQ && ((e->a->op == TERM_TEST && is_step(e->b)) ||
					     (e->b->op == TERM_TEST && is_step(e->a))));
}

static const struct term *intersection(struct translator *t, u32 node, enum bound b, u32 depth)
{
	const struct cat_node *x = &t->c->node[node];
	const struct term *e, *f;
	struct filter filter;

	if (filter_of(t, x->b, &filter))
		return filtered(t, node, x->a, &filter, b, depth);
	if (filter_of(t, x->a, &filter))
		return filtered(t, node, x->b, &filter, b, depth);
	e = translate_at(t, x->a, b, depth);
	f = translate_at(t, x->b, b, depth);
	if (e->op == TERM_LETTERS && f->op == TERM_LETTERS && !((e->set | f->set) & LETTERS_DEPS))
		return term_letters(e->set & f->set);
	note_bound(t, node, b);
	return b == BOUND_BELOW ? term_none() : is_step(f) && !is_step(e) ? f : e;
}

/* Does the difference have rfi? */
static bool with_rfi(struct translator *t, const struct cat_node *x, u32 depth)
{
	const struct term *rfi = term_letters(L(RFI));

	return claim_within(rfi, translate_at(t, x->a, BOUND_BELOW, depth), &t->view) &&
	       claim_acyclic(term_seq(translate_at(t, x->b, BOUND_ABOVE, depth), term_inverse(rfi)),
		       &t->view);
}

static const struct term *difference(struct translator *t, u32 node, enum bound b, u32 depth)
{
	const struct cat_node *x = &t->c->node[node];
	struct filter filter;

	if (filter_of(t, x->b, &filter)) {
		filter = filter_not(filter);
		if (filter.n <= FILTER_TERMS)
			return filtered(t, node, x->a, &filter, b, depth);
	}
	if (term_is_empty(translate_at(t, x->b, BOUND_ABOVE, depth)))
		return translate_at(t, x->a, b, depth);
	note_bound(t, node, b);
	if (b == BOUND_ABOVE)
		return translate_at(t, x->a, b, depth);
	return with_rfi(t, x, depth) ? term_letters(L(RFI)) : term_none();
}

/* --- let rec ---------------------------------------------------------------------------------- */

/* The parts of a definition that do not depend on names of its `let rec'. */
static const struct term *parts_of(struct translator *t, u32 node, bool *may_be_id)
{
	const struct cat_node *x = &t->c->node[node];

	if (!x->group)
		return translate_at(t, node, BOUND_ABOVE, 0);
	switch (x->op) {
	case CAT_VAR: return term_none();
	case CAT_STAR:
	case CAT_OPT: *may_be_id = true; return parts_of(t, x->a, may_be_id);
	case CAT_DIFF:
	case CAT_TO:
	case CAT_PLUS: return parts_of(t, x->a, may_be_id);
	case CAT_FROM: return parts_of(t, x->b, may_be_id);
	case CAT_UNION:
	case CAT_SEQ:
	case CAT_INTER:
		return term_union(parts_of(t, x->a, may_be_id), parts_of(t, x->b, may_be_id));
	}
	return refuse_node(t, node);
}

static const struct term *variable_above(struct translator *t, u32 node)
{
	u32 group = t->c->node[node].group;
	const struct term *all = term_none();
	bool may_be_id = false;

	for (u32 i = 1; i < t->c->nnodes; i++)
		if (t->c->node[i].op == CAT_VAR && t->c->node[i].group == group)
			all = term_union(all, parts_of(t, t->c->node[i].a, &may_be_id));
	note_bound(t, node, BOUND_ABOVE);
	all = term_plus(all);
	return may_be_id ? term_opt(all) : all;
}

/* --- relations -------------------------------------------------------------------------------- */

static const struct term *base_of(struct translator *t, u32 node)
{
	switch (t->c->node[node].a) {
	case CAT_BASE_po: return term_letters(LETTERS_PO);
	case CAT_BASE_rf: return term_letters(LETTERS_RF);
	case CAT_BASE_co: return term_letters(LETTERS_CO);
	case CAT_BASE_fr: return term_letters(LETTERS_FR);
	case CAT_BASE_addr: return term_letters(L(ADDR));
	case CAT_BASE_data: return term_letters(L(DATA));
	case CAT_BASE_ctrl: return term_letters(L(CTRL));
	case CAT_BASE_rmw: return term_letters(L(RMW));
	case CAT_BASE_id: return term_test(~0ull);
	}
	return refuse_node(t, node); /* loc, int, ext */
}

static const struct term *translate_node(struct translator *t, u32 node, enum bound b, u32 depth)
{
	const struct cat_node *x = &t->c->node[node];
#define OPERAND(o) translate_at(t, x->o, b, depth)

	switch (x->op) {
	case CAT_EMPTY: return term_none();
	case CAT_BASE: return base_of(t, node);
	case CAT_UNION: return term_union(OPERAND(a), OPERAND(b));
	case CAT_SEQ: return term_seq(OPERAND(a), OPERAND(b));
	case CAT_PLUS: return term_plus(OPERAND(a));
	case CAT_STAR: return term_opt(term_plus(OPERAND(a)));
	case CAT_OPT: return term_opt(OPERAND(a));
	case CAT_INVERSE: return term_inverse(OPERAND(a));
	case CAT_ID: return term_test(set_of(t, x->a, b, depth));
	case CAT_FROM: return term_seq(term_test(set_of(t, x->a, b, depth)), OPERAND(b));
	case CAT_TO: return term_seq(OPERAND(a), term_test(set_of(t, x->b, b, depth)));
	case CAT_INTER: return intersection(t, node, b, depth);
	case CAT_DIFF: return difference(t, node, b, depth);
	case CAT_VAR:
		if (b == BOUND_ABOVE)
			return variable_above(t, node);
		note_bound(t, node, b);
		return depth ? translate_at(t, x->a, b, depth - 1) : term_none();
	}
#undef OPERAND
	return refuse_node(t, node);
}

static const struct term *translate_at(struct translator *t, u32 node, enum bound b, u32 depth)
{
	const struct term **memo = &t->memo[b][depth][node];

	if (!*memo)
		*memo = translate_node(t, node, b, depth);
	return *memo;
}

const struct term *translate(struct translator *t, u32 node, enum bound b)
{
	return translate_at(t, node, b, TRANSLATE_DEPTH);
}

/* empty a & b: a; b^-1 has no cycle. empty a: nor has a, with any pair behind it. */
const struct term *translate_axiom(
	struct translator *t, const struct cat_axiom *x, enum bound b, bool *acyclic)
{
	const struct cat_node *n = &t->c->node[x->node];
	struct filter f;

	*acyclic = x->test == CAT_ACYCLIC;
	if (x->negated || x->kind != CAT_REQUIRED)
		return refuse_node(t, x->node);
	if (x->test != CAT_IS_EMPTY)
		return translate(t, x->node, b);
	if (n->op == CAT_INTER && !filter_of(t, n->a, &f) && !filter_of(t, n->b, &f))
		return term_seq(translate(t, n->b, b), term_inverse(translate(t, n->a, b)));
	return term_seq(translate(t, x->node, b), term_letters(L(ANY)));
}
