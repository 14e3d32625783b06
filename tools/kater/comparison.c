/* SPDX-License-Identifier: ISC */
/* comparison.c - see comparison.h. */
#include "kater/comparison.h"

#include <string.h>

#include "clock.h"
#include "die.h"
#include "kater/claim.h"
#include "kater/simulation.h"

#define CANDIDATES 400 /* words that are looked at, */
#define BESIDE	   60  /* and, after one that is confirmed, others of its length */

struct proof {
	struct comparison *c;
	struct automaton *known; /* cycles that executions do not have, before it is widened */
	struct automaton *right; /* afterwards; NULL: it has to be made again */
	struct event_word *word;	 /* the shortest missing word */
	bool confirmed;
	u32 beside; /* words that have been looked at since */
};

static void know(struct proof *p, struct automaton *a)
{
	automaton_join(p->known, a);
	p->right = NULL;
}

static struct automaton *right_side(struct proof *p)
{
	static const struct theory theory = {.coherent = true};

	if (p->right)
		return p->right;
	p->right = xmalloc(sizeof(*p->right));
	automaton_join(p->right, p->known);
	theory_widen(p->right, &theory);
	automaton_split(p->right);
	simulation_reduce(p->right);
	return p->right;
}

/* Do all cycles of e; eco? imply one of the stronger model's? */
static bool agrees(void *ctx, const struct term *e)
{
	struct proof *p = ctx;
	const struct term *eco = term_plus(term_letters(LETTERS_RF | LETTERS_CO | LETTERS_FR));

	return claim_none_missing(term_seq(e, term_opt(eco)), right_side(p), &p->c->above.view);
}

/* Of words of one length, those of simple events. */
static u32 cost_of(const struct event_word *w)
{
	u32 cost = 0;

	for (u32 i = 0; i < w->n; i++)
		cost += (w->kind[i] > 1 ? 8 * w->kind[i] : 0) +
			(w->letter[i] == LETTER_COE || w->letter[i] == LETTER_COI);
	return cost;
}

static bool look(void *ctx, const struct event_word *w)
{
	struct proof *p = ctx;

	if (p->confirmed && (w->n > p->word->n || ++p->beside > BESIDE))
		return true;
	if (p->confirmed && cost_of(w) >= cost_of(p->word))
		return false;
	if (!p->word->n)
		*p->word = *w;
	if (!p->c->confirm)
		return true;
	if (!p->c->confirm(p->c->ctx, p->c, w))
		return false;
	*p->word = *w;
	p->confirmed = true;
	return false;
}

static void prove_cycles(
	struct proof *p, const struct term *e, bool acyclic, struct axiom_result *r)
{
	struct comparison *c = p->c;
	struct inclusion s = {.possible = {.coherent = true},
		.missing = look,
		.ctx = p,
		.words = c->confirm ? CANDIDATES : 1};

	r->word.n = 0;
	p->word = &r->word;
	p->confirmed = false;
	p->beside = 0;
	s.a = claim_left(e, acyclic ? MARK_MORE : MARK_ONCE, &c->above.view);
	s.b = right_side(p);
	inclusion_search(&s);
	r->nstates += s.nstates;
	r->nright = s.b->n;
	r->verdict = p->confirmed || (s.nmissing && !c->confirm) ? VERDICT_FAILS
		     : s.nmissing || s.gave_up || s.a->identity	 ? VERDICT_UNKNOWN
								 : VERDICT_HOLDS;
}

/* Expressions that are not regular are approximated in two ways, one after the other. */
static bool prove_axiom(struct proof *p, struct axiom_result *r)
{
	struct comparison *c = p->c;
	const struct cat_axiom *x = &c->weaker.c->axiom[r->axiom];
	bool acyclic, again = false;

	do {
		const struct term *e;

		memset(&c->above, 0, sizeof(c->above));
		if (!translate_begin(&c->above, c->weaker.c))
			return false;
		c->above.agrees = agrees;
		c->above.ctx = p;
		c->above.by_order = again;
		e = translate_axiom(&c->above, x, BOUND_ABOVE, &acyclic);
		if (c->above.wrong)
			return false;
		prove_cycles(p, e, acyclic, r);
		again = !again && r->verdict == VERDICT_UNKNOWN && c->above.nnotes[BOUND_ABOVE];
	} while (again);
	return true;
}

/* Edges of program order that do not count. */
static void drop_order(struct automaton *a, const struct kater_model *m)
{
	u32 n = m->drop_from ? a->nt : 0;

	for (u32 i = 0; i < n; i++) {
		struct transition t = a->t[i];

		if (!(t.l & L(DIF)) || !(t.source & m->drop_from) || !(t.target & m->drop_to))
			continue;
		t.l = L(DIF);
		a->t[i].l &= ~L(DIF);
		t.target &= ~m->drop_to;
		automaton_add(a, t);
		t.target = a->t[i].target;
		t.source &= ~m->drop_from;
		automaton_add(a, t);
	}
}

/* The cycles that the model forbids. */
static bool know_model(
	struct proof *p, struct translator *t, const struct kater_model *m, u32 axiom)
{
	const struct cat_axiom *x = &m->c->axiom[axiom];
	struct automaton *a;
	bool acyclic;
	const struct term *e = translate_axiom(t, x, BOUND_BELOW, &acyclic);

	if (t->wrong)
		return false;
	a = automaton_cycles(e, acyclic ? MARK_MORE : MARK_ONCE);
	drop_order(a, m);
	automaton_hide(a, &t->view);
	know(p, a);
	return true;
}

static bool counts(const struct kater_model *m, u32 axiom)
{
	return m->c->axiom[axiom].kind == CAT_REQUIRED && !(m->without >> axiom & 1);
}

static bool know_stronger(struct proof *p)
{
	struct comparison *c = p->c;

	if (!translate_begin(&c->below, c->stronger.c))
		return false;
	know(p, automaton_cycles(theory_atomicity(), MARK_ONCE));
	for (u32 i = 0; i < c->stronger.c->naxioms; i++)
		if (counts(&c->stronger, i) && !know_model(p, &c->below, &c->stronger, i))
			return false;
	return true;
}

static bool prove_all(struct proof *p)
{
	struct comparison *c = p->c;

	for (u32 i = 0; i < c->weaker.c->naxioms; i++) {
		struct axiom_result *r = &c->result[c->nresults];
		struct translator t = {.c = NULL};
		double began = seconds_now();

		if (!counts(&c->weaker, i))
			continue;
		*r = (struct axiom_result){.axiom = i};
		c->nresults++;
		if (!prove_axiom(p, r))
			return false;
		r->seconds = seconds_now() - began;
		if (r->verdict == VERDICT_FAILS || c->verdict == VERDICT_HOLDS)
			c->verdict = r->verdict;
		if (r->verdict == VERDICT_HOLDS &&
			!(translate_begin(&t, c->weaker.c) && know_model(p, &t, &c->weaker, i)))
			return false;
	}
	return true;
}

/* Of cycles that are given. */
static bool prove_given(struct proof *p)
{
	struct comparison *c = p->c;
	struct axiom_result *r = &c->result[c->nresults++];
	double began = seconds_now();

	*r = (struct axiom_result){.axiom = 0};
	prove_cycles(p, c->cycles, true, r);
	r->seconds = seconds_now() - began;
	c->verdict = r->verdict;
	return true;
}

bool comparison_run(struct comparison *c)
{
	struct proof p = {.c = c, .known = xmalloc(sizeof(*p.known))};

	c->nresults = 0;
	c->verdict = VERDICT_HOLDS;
	if (know_stronger(&p) && (c->cycles ? prove_given(&p) : prove_all(&p)))
		return true;
	c->wrong = c->below.wrong ? c->below.wrong : c->above.wrong;
	return false;
}
