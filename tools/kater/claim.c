/* SPDX-License-Identifier: ISC */
/* claim.c - see claim.h. */
#include "kater/claim.h"

#include "kater/inclusion.h"
#include "kater/simulation.h"
#include "kater/theory.h"

struct automaton *claim_left(const struct term *e, enum mark mark, const struct kind_view *view)
{
	struct automaton *a = automaton_cycles(e, mark);

	automaton_hide(a, view);
	for (u32 i = 0; i < a->nt; i++)
		a->t[i].target &= KINDS_CLAIMED;
	automaton_restrict(a);
	automaton_split(a);
	simulation_reduce(a);
	return a;
}

static bool enough(void *ctx, const struct event_word *w)
{
	(void)ctx;
	(void)w;
	return true;
}

static bool included(struct automaton *a, struct automaton *b, bool always)
{
	struct inclusion s = {.a = a,
		.b = b,
		.missing = enough,
		.possible = {.coherent = true, .always = always}};

	if (a->identity)
		return false;
	inclusion_search(&s);
	return !s.nmissing && !s.gave_up;
}

static struct automaton *right(struct automaton *a, const struct kind_view *view)
{
	static const struct theory theory = {.coherent = true, .inverse = true};

	automaton_hide(a, view);
	theory_widen(a, &theory);
	automaton_split(a);
	simulation_reduce(a);
	return a;
}

bool claim_within(const struct term *e, const struct term *f, const struct kind_view *view)
{
	const struct term *start = term_letters(L(START));

	return included(claim_left(term_seq(start, e), MARK_ONCE, view),
		right(automaton_words(f), view), true);
}

bool claim_acyclic(const struct term *e, const struct kind_view *view)
{
	struct automaton *order = automaton_cycles(term_letters(LETTERS_CO), MARK_MORE);

	return included(claim_left(e, MARK_ONCE, view), right(order, view), false);
}

bool claim_none_missing(const struct term *e, struct automaton *known, const struct kind_view *view)
{
	return included(claim_left(e, MARK_ONCE, view), known, false);
}
