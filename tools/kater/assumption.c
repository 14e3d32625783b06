/* SPDX-License-Identifier: ISC */
/* assumption.c - see assumption.h. */
#include "kater/assumption.h"

#include <stdlib.h>

#include "die.h"

#define ROUNDS 3 /* of an assumption that applies to its own results */

void assumption_paths(struct automaton *a, const struct claim *c, bool paths)
{
	const struct term *any = term_opt(term_plus(term_letters(~L(START))));

	for (u32 i = 0; i < c->nassumed; i++) {
		const struct term *e = c->assumed[i].a;

		if (c->assumed[i].type != ASSUME_EMPTY)
			continue;
		e = term_seq(any, term_seq(e, any));
		automaton_join(a, paths ? automaton_words(e) : automaton_cycles(e, MARK_ONCE));
	}
}

/* The rest of e around a letter of co: v; u of u; co; v. */
static const struct term *around(
	const struct term *e, const struct term *before, const struct term *behind)
{
	const struct term *again;

	switch (e->op) {
	case TERM_TEST: return term_none();
	case TERM_LETTERS:
		return (e->set & LETTERS_CO) == LETTERS_CO ? term_seq(behind, before) : term_none();
	case TERM_UNION:
		return term_union(around(e->a, before, behind), around(e->b, before, behind));
	case TERM_SEQ:
		return term_union(around(e->a, before, term_seq(e->b, behind)),
			around(e->b, term_seq(before, e->a), behind));
	}
	again = term_opt(e);
	return around(e->a, term_seq(before, again), term_seq(again, behind));
}

void assumption_total(struct automaton *a, const struct term *e)
{
	const struct term *w = term_test(kinds_of(KINDS_WRITES)), *id = term_test(~0ull), *rest;

	rest = term_within(around(e, id, id), LETTERS_SAME | LETTERS_SAME << LETTER_INVERSE);
	rest = term_seq(w, term_seq(rest, w));
	automaton_join(a, automaton_cycles(term_union(term_letters(LETTERS_CO), rest), MARK_MORE));
}

/* --- inclusions ------------------------------------------------------------------------------- */

/* A path of e, from p to q. */
static void add_assumed(struct automaton *a, const struct term *e, struct transition t)
{
	u32 middle;

	switch (e->op) {
	case TERM_TEST: return; /* only within others */
	case TERM_LETTERS:
		t.l = e->set;
		automaton_add(a, t);
		return;
	case TERM_UNION:
		add_assumed(a, e->a, t);
		add_assumed(a, e->b, t);
		return;
	case TERM_SEQ:
		if (e->a->op == TERM_TEST) {
			t.source &= e->a->set;
			add_assumed(a, e->b, t);
		} else if (e->b->op == TERM_TEST) {
			t.target &= e->b->set;
			add_assumed(a, e->a, t);
		} else {
			struct transition first = t;

			middle = automaton_state(a);
			first.to = middle;
			first.target = ~0ull;
			first.mark = MARK_NONE;
			t.from = middle;
			t.source = ~0ull;
			add_assumed(a, e->a, first);
			add_assumed(a, e->b, t);
		}
		return;
	}
	middle = automaton_state(a);
	add_assumed(a, e->a, t);
	add_assumed(a, e->a, (struct transition){t.from, middle, 0, t.source, ~0ull, MARK_NONE});
	add_assumed(a, e->a, (struct transition){middle, middle, 0, ~0ull, ~0ull, MARK_NONE});
	add_assumed(a, e->a, (struct transition){middle, t.to, 0, ~0ull, t.target, t.mark});
}

/* Each state: to itself by e. */
static void add_loops(struct automaton *a, const struct term *e)
{
	u32 n = a->n;

	for (u32 q = 0; q < n; q++)
		add_assumed(a, e, (struct transition){q, q, 0, ~0ull, ~0ull, MARK_NONE});
}

/* An edge that leads around a sequence of letters of the automaton, from p: with the tests on its
 * way left out, only the ones at its ends. */
static void find_paths(struct automaton *a, const struct term *e, const struct term *within,
	struct transition path, u32 n)
{
	const struct term *head = within->op == TERM_SEQ ? within->a : within;

	if (head->op == TERM_TEST && within != head) {
		find_paths(a, e, within->b, path, n);
		return;
	}
	for (u32 i = 0; i < n; i++) {
		struct transition t = a->t[i], longer = path;

		if (t.from != path.to || head->op != TERM_LETTERS || !(t.l & head->set) ||
			t.l & L(START) || (path.mark && t.mark))
			continue;
		longer.to = t.to;
		longer.mark |= t.mark;
		longer.target = t.target;
		longer.source &= path.from == t.from && path.target == ~0ull ? t.source : ~0ull;
		if (within == head)
			add_assumed(a, e, longer);
		else
			find_paths(a, e, within->b, longer, n);
	}
}

static bool is_transitivity(const struct assumption *x)
{
	return x->b->op == TERM_LETTERS && x->a->op == TERM_SEQ && x->a->a->op == TERM_LETTERS &&
	       x->a->b->op == TERM_LETTERS && x->a->a->set == x->b->set &&
	       x->a->b->set == x->b->set;
}

static void add_within(struct automaton *a, const struct assumption *x)
{
	const struct term *e = is_transitivity(x) ? term_plus(x->b) : x->a;
	u32 n = a->nt, states = a->n;

	for (u32 q = 0; q < states; q++)
		find_paths(a, e, x->b, (struct transition){q, q, 0, ~0ull, ~0ull, MARK_NONE}, n);
	automaton_reduce(a);
}

void assumption_edges(struct automaton *a, const struct claim *c)
{
	for (u32 round = 0; round < ROUNDS; round++)
		for (u32 i = 0; i < c->nassumed; i++)
			if (c->assumed[i].type == ASSUME_WITHIN)
				add_within(a, &c->assumed[i]);
	for (u32 i = 0; i < c->nassumed; i++)
		if (c->assumed[i].type == ASSUME_IDENTITY)
			add_loops(a, c->assumed[i].a);
	automaton_reduce(a);
}
