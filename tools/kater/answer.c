/* SPDX-License-Identifier: ISC */
/* answer.c - see answer.h. */
#include "kater/answer.h"

#include <string.h>

#include "cat/words.h"
#include "clock.h"
#include "die.h"
#include "kater/assumption.h"
#include "kater/claim.h"
#include "kater/simulation.h"
#include "kater/witness.h"

/* An event between relations of the file's own is not shown. */
static char *event_text(const struct event_word *w, u32 i)
{
	u32 next = (i + 1) % w->n;

	return w->letter[i] >= LETTER_ANY && w->letter[next] >= LETTER_ANY
		       ? ""
		       : xprintf("[%s] ", kinds_name(w->kind[i]));
}

char *answer_word(const struct claim *c, const struct event_word *w)
{
	u32 first = 0;
	char *text;

	for (u32 i = 0; i < w->n; i++)
		if (w->letter[i] == LETTER_START)
			first = i;
	text = event_text(w, first);
	for (u32 k = 1; k <= w->n; k++) {
		u32 i = (first + k) % w->n;

		if (w->letter[i] != LETTER_START)
			text = xprintf("%s%s %s", text, letter_name(w->letter[i], c->own),
				k < w->n ? event_text(w, i) : "");
	}
	text[strlen(text) - 1] = 0;
	return text;
}

/* --- models ----------------------------------------------------------------------------------- */

static bool confirm(void *ctx, const struct comparison *c, const struct event_word *w)
{
	struct answer *a = ctx;
	struct execution x;

	if (!witness_find(w, &c->stronger, &c->weaker, &x))
		return false;
	a->has_execution = true;
	a->execution = x;
	return true;
}

static void add_notes(struct answer *a, const struct translator *t, enum bound b)
{
	for (u32 i = 0; i < t->nnotes[b] && a->nnotes < ANSWER_NOTES; i++) {
		struct cat_where w = cat_where_token(t->c, t->c->node[t->note[b][i]].token);
		char words[100];
		struct text to = text_begin(words, sizeof words);

		cat_words(t->c, t->note[b][i], true, &to);
		a->note[a->nnotes++] = xprintf("%s:%u:%u: `%s' is not regular: %s is taken", w.file,
			w.number, w.column, words, b == BOUND_ABOVE ? "more" : "less");
	}
}

static void compare(const struct kater_model *stronger, const struct kater_model *weaker,
	const struct term *cycles, struct answer *a)
{
	struct comparison *c = xmalloc(sizeof(*c));

	c->stronger = *stronger;
	if (weaker)
		c->weaker = *weaker;
	c->cycles = cycles;
	c->confirm = confirm;
	c->ctx = a;
	if (!comparison_run(c)) {
		a->refused = c->wrong;
		a->verdict = VERDICT_UNKNOWN;
		return;
	}
	a->verdict = c->verdict;
	a->allows = stronger;
	a->forbids = weaker;
	for (u32 i = 0; i < c->nresults; i++) {
		char name[80] = "";

		if (c->result[i].verdict != c->verdict || c->verdict == VERDICT_HOLDS)
			continue;
		a->word = c->result[i].word;
		if (weaker)
			cat_axiom_name(weaker->c, c->result[i].axiom, name);
		a->axiom = xstrdup(name);
		break;
	}
	if (c->verdict != VERDICT_UNKNOWN)
		return;
	add_notes(a, &c->above, BOUND_ABOVE);
	add_notes(a, &c->below, BOUND_BELOW);
}

static void equals(const struct claim *c, struct answer *a)
{
	compare(&c->a, &c->b, NULL, a);
	if (a->verdict == VERDICT_HOLDS)
		compare(&c->b, &c->a, NULL, a);
}

static void reorders(const struct claim *c, struct answer *a)
{
	struct kater_model *reordered = xmalloc(sizeof(*reordered));

	*reordered = c->a;
	reordered->name = xprintf("reordered %s", c->a.name);
	reordered->drop_from = c->from;
	reordered->drop_to = c->to;
	compare(reordered, &c->a, NULL, a);
}

/* By the form of its axioms: cat/analysis.h. */
static void properties(const struct claim *c, struct answer *a)
{
	const struct cat *m = c->a.c;

	for (u32 i = 0; i < m->naxioms; i++) {
		const struct cat_axiom *x = &m->axiom[i];
		u32 part = cat_late_part(m, i);
		struct cat_where w = cat_where_token(m, part ? m->node[part].token : x->token);
		bool monotone = m->node[x->node].facts & CAT_MONOTONE && !x->negated;
		char words[100];
		struct text to = text_begin(words, sizeof words);

		if (x->kind != CAT_REQUIRED || c->a.without >> i & 1 || x->when != CAT_AT_END ||
			(c->type == CLAIM_PREFIX && monotone))
			continue;
		a->verdict = VERDICT_FAILS;
		cat_words(m, part ? part : x->node, true, &to);
		if (a->nnotes < ANSWER_NOTES)
			a->note[a->nnotes++] =
				xprintf("%s:%u:%u: `%s': %s", w.file, w.number, w.column, words,
					monotone ? "a new event may extend earlier pairs"
						 : "it may lose pairs as the execution grows");
	}
}

/* --- relations -------------------------------------------------------------------------------- */

static bool take_word(void *ctx, const struct event_word *w)
{
	struct answer *a = ctx;

	a->word = *w;
	return true;
}

static bool has_inverse_rf(const struct term *e)
{
	return term_letters_of(e) & LETTERS_RF << LETTER_INVERSE;
}

/* Are the cycles, or paths, of e among those of f? */
static void include(const struct claim *c, const struct term *e, const struct term *f,
	bool e_acyclic, bool f_acyclic, struct answer *a)
{
	static const struct kind_view none;
	bool paths = c->type == CLAIM_PATHS || c->type == CLAIM_SAME_PATHS;
	const struct term *start = term_letters(L(START));
	struct theory theory = {
		.coherent = c->coherent, .inverse = has_inverse_rf(e) || has_inverse_rf(f)};
	struct inclusion s = {.missing = take_word,
		.ctx = a,
		.possible = {.always = paths, .coherent = c->coherent}};

	s.a = claim_left(paths ? term_seq(start, e) : e, e_acyclic ? MARK_MORE : MARK_ONCE, &none);
	s.b = automaton_cycles(paths ? term_seq(start, f) : f, f_acyclic ? MARK_MORE : MARK_ONCE);
	if (!paths)
		automaton_join(s.b, automaton_cycles(term_letters(LETTERS_CO), MARK_MORE));
	if (c->total && !paths)
		assumption_total(s.b, f);
	assumption_paths(s.b, c, paths);
	theory_widen(s.b, &theory);
	assumption_edges(s.b, c);
	automaton_split(s.b);
	simulation_reduce(s.b);
	inclusion_search(&s);
	a->verdict = s.nmissing					      ? VERDICT_FAILS
		     : s.gave_up || (s.a->identity && !s.b->identity) ? VERDICT_UNKNOWN
								      : VERDICT_HOLDS;
}

static void include_both(const struct claim *c, struct answer *a)
{
	include(c, c->left, c->right, c->left_acyclic, c->right_acyclic, a);
	if (a->verdict == VERDICT_HOLDS)
		include(c, c->right, c->left, c->right_acyclic, c->left_acyclic, a);
}

void answer_find(const struct claim *c, struct answer *a)
{
	double began = seconds_now();

	memset(a, 0, sizeof(*a));
	a->axiom = "";
	switch (c->type) {
	case CLAIM_WITHIN: compare(&c->a, &c->b, NULL, a); break;
	case CLAIM_EQUALS: equals(c, a); break;
	case CLAIM_REORDERS: reorders(c, a); break;
	case CLAIM_FORBIDS: compare(&c->a, NULL, c->left, a); break;
	case CLAIM_PREFIX:
	case CLAIM_EXTENSIBLE: properties(c, a); break;
	case CLAIM_PATHS: include(c, c->left, c->right, false, false, a); break;
	/* If `left' has no cycle, nor has `right'. */
	case CLAIM_IMPLIES:
		include(c, c->right, c->left, c->right_acyclic, c->left_acyclic, a);
		break;
	case CLAIM_SAME_PATHS:
	case CLAIM_SAME_CYCLES: include_both(c, a); break;
	}
	a->seconds = seconds_now() - began;
}
