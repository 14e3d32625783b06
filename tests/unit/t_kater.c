/* SPDX-License-Identifier: ISC */
/*
 * t_kater.c - heddle kater's inclusions: of random relations, against all words up to a length and
 * against their values in small graphs; of models, against random executions.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/prng.h"
#include "kater/claim.h"
#include "kater/comparison.h"
#include "kater/inclusion.h"
#include "kater/simulation.h"
#include "kater/theory.h"
#include "kater/witness.h"

#define OWN(i) (1ull << (LETTER_FREE + 2 * (i)))

/* --- random relations ------------------------------------------------------------------------- */

/* Tests tell kinds 0 and 1 from all others. */
static kinds random_kinds(struct prng *p)
{
	static const kinds parts[3] = {1, 2, KINDS_ALL & ~3ull};
	kinds set = 0;

	for (u32 i = 0; i < 3; i++)
		set |= prng_below(p, 4) ? parts[i] : 0;
	return set;
}

static const struct term *random_term(struct prng *p, u32 size, const letters *have, u32 n)
{
	const struct term *a, *b;

	if (size < 2)
		return prng_below(p, 6) ? term_letters(have[prng_below(p, n)])
					: term_test(random_kinds(p));
	a = random_term(p, size / 2, have, n);
	b = random_term(p, size - size / 2, have, n);
	switch (prng_below(p, 5)) {
	case 0:
	case 1: return term_union(a, b);
	case 2: return term_seq(term_plus(a), b);
	case 3: return term_seq(a, term_opt(b));
	}
	return term_seq(a, b);
}

/* Is the part of the word from event i to event j one of the term's? */
static bool spells(const struct term *e, const struct event_word *w, u32 i, u32 j)
{
	switch (e->op) {
	case TERM_TEST: return i == j && e->set >> w->kind[i] & 1;
	case TERM_LETTERS: return j == i + 1 && e->set >> w->letter[j] & 1;
	case TERM_UNION: return spells(e->a, w, i, j) || spells(e->b, w, i, j);
	case TERM_SEQ:
		for (u32 k = i; k <= j; k++)
			if (spells(e->a, w, i, k) && spells(e->b, w, k, j))
				return true;
		return false;
	}
	for (u32 k = i + 1; k < j; k++)
		if (spells(e->a, w, i, k) && spells(e, w, k, j))
			return true;
	return spells(e->a, w, i, j);
}

/* All words up to a length, of two letters and three kinds: the next one; false: there is none. */
static bool next_word(struct event_word *w, u32 longest)
{
	for (u32 i = 0; i < w->n; i++) {
		if (++w->kind[i] < 3)
			return true;
		w->kind[i] = 0;
		w->letter[i] = w->letter[i] == LETTER_FREE ? LETTER_FREE + 2 : LETTER_FREE;
		if (w->letter[i] != LETTER_FREE)
			return true;
	}
	if (w->n == longest)
		return false;
	w->kind[w->n] = 0;
	w->letter[w->n++] = LETTER_FREE;
	return true;
}

static struct event_word found;

static bool take(void *ctx, const struct event_word *w)
{
	(void)ctx;
	found = *w;
	return true;
}

static const struct kind_view no_view;

static u32 search(struct automaton *a, struct automaton *b, bool always, bool coherent)
{
	struct inclusion s = {.a = a,
		.b = b,
		.missing = take,
		.possible = {.always = always, .coherent = coherent}};

	automaton_split(b);
	simulation_reduce(b);
	inclusion_search(&s);
	return s.nmissing || s.gave_up;
}

#define LONGEST 3

/* A word of the left side that is none of the right side, no longer than n events; 0: none. */
static u32 shortest_by_hand(const struct term *e, const struct term *f, u32 longest)
{
	struct event_word w = {.n = 1, .letter = {LETTER_FREE}};

	do
		if (spells(e, &w, 0, w.n - 1) && !spells(f, &w, 0, w.n - 1))
			return w.n;
	while (next_word(&w, longest));
	return 0;
}

/* The word that was found begins after LETTER_START. */
static struct event_word unrolled(void)
{
	struct event_word w = {.n = found.n};
	u32 first = 0;

	while (first < found.n && found.letter[first] != LETTER_START)
		first++;
	for (u32 i = 0; i < w.n; i++) {
		w.letter[i] = found.letter[(first + i) % w.n];
		w.kind[i] = found.kind[(first + i) % w.n];
	}
	return w;
}

static void words(void)
{
	static const letters have[] = {OWN(0), OWN(1), OWN(0) | OWN(1)};
	unsigned holds = 0, fails = 0;
	struct prng p;

	prng_seed(&p, 1);
	for (unsigned i = 0; i < unit_count(200); i++) {
		const struct term *e = random_term(&p, 2 + (u32)prng_below(&p, 5), have, 3),
				  *f = random_term(&p, 2 + (u32)prng_below(&p, 7), have, 3);
		const struct term *start = term_letters(L(START));
		u32 least = shortest_by_hand(e, f, LONGEST);
		struct event_word w;

		if (prng_below(&p, 3) == 0)
			f = term_union(e, f), least = 0;
		if (!search(claim_left(term_seq(start, e), MARK_ONCE, &no_view), automaton_words(f),
			    true, false)) {
			CU_ASSERT_EQUAL(least, 0);
			holds++;
			continue;
		}
		w = unrolled();
		CU_ASSERT(spells(e, &w, 0, w.n - 1) && !spells(f, &w, 0, w.n - 1));
		CU_ASSERT(least ? w.n == least : w.n > LONGEST);
		fails++;
	}
	CU_ASSERT(holds && fails);
}

/* --- circles: the value of a relation over the events of one ---------------------------------- */

#define POINTS 10

struct small_graph {
	u32 n;
	u8 kind[POINTS];
	bool (*has)(void *ctx, u32 letter, u32 a, u32 b);
	void *ctx;
};

static void value_of(const struct term *e, const struct small_graph *g, u32 r[POINTS])
{
	u32 a[POINTS], b[POINTS];

	memset(r, 0, POINTS * sizeof *r);
	if (e->op > TERM_LETTERS)
		value_of(e->a, g, a);
	if (e->op == TERM_UNION || e->op == TERM_SEQ)
		value_of(e->b, g, b);
	for (u32 i = 0; i < g->n; i++)
		for (u32 k = 0; k < g->n; k++)
			switch (e->op) {
			case TERM_TEST:
				r[i] |= (u32)(i == k && e->set >> g->kind[i] & 1) << k;
				break;
			case TERM_LETTERS:
				for (u32 l = 0; l < 64; l++)
					if (e->set >> l & 1 && g->has(g->ctx, l, i, k))
						r[i] |= 1u << k;
				break;
			case TERM_SEQ: r[i] |= a[i] >> k & 1 ? b[k] : 0; break;
			}
	for (u32 i = 0; i < g->n && e->op >= TERM_UNION; i++)
		r[i] |= e->op == TERM_UNION ? a[i] | b[i] : e->op == TERM_PLUS ? a[i] : 0;
	for (u32 k = 0; k < g->n && e->op == TERM_PLUS; k++)
		for (u32 i = 0; i < g->n; i++)
			r[i] |= r[i] >> k & 1 ? r[k] : 0;
}

static bool has_cycle(const struct term *e, bool acyclic, const struct small_graph *g)
{
	u32 r[POINTS];
	bool is = false;

	value_of(acyclic ? term_plus(e) : e, g, r);
	for (u32 i = 0; i < g->n; i++)
		is |= r[i] >> i & 1;
	return is;
}

static bool on_circle(void *ctx, u32 letter, u32 a, u32 b)
{
	const struct event_word *w = ctx;

	return (a + 1) % w->n == b && w->letter[b] == letter;
}

static bool circle_has(const struct term *e, bool acyclic, struct event_word *w)
{
	struct small_graph g = {.n = w->n, .has = on_circle, .ctx = w};

	memcpy(g.kind, w->kind, w->n);
	return has_cycle(e, acyclic, &g);
}

static u32 shortest_circle(
	const struct term *e, bool e_acyclic, const struct term *f, bool f_acyclic)
{
	struct event_word w = {.n = 1, .letter = {LETTER_FREE}};

	do
		if (circle_has(e, e_acyclic, &w) && !circle_has(f, f_acyclic, &w))
			return w.n;
	while (next_word(&w, LONGEST));
	return 0;
}

static void circles(void)
{
	static const letters have[] = {OWN(0), OWN(1), OWN(0) | OWN(1)};
	unsigned holds = 0, fails = 0;
	struct prng p;

	prng_seed(&p, 2);
	for (unsigned i = 0; i < unit_count(200); i++) {
		const struct term *e = random_term(&p, 2 + (u32)prng_below(&p, 4), have, 3),
				  *f = random_term(&p, 2 + (u32)prng_below(&p, 6), have, 3);
		bool e_acyclic = prng_below(&p, 2), f_acyclic = prng_below(&p, 2);
		struct automaton *a = claim_left(e, e_acyclic ? MARK_MORE : MARK_ONCE, &no_view),
				 *b = automaton_cycles(f, f_acyclic ? MARK_MORE : MARK_ONCE);
		u32 least;

		if (a->identity || b->identity)
			continue;
		least = shortest_circle(e, e_acyclic, f, f_acyclic);
		if (!search(a, b, true, false)) {
			CU_ASSERT_EQUAL(least, 0);
			holds++;
			continue;
		}
		CU_ASSERT(circle_has(e, e_acyclic, &found) && !circle_has(f, f_acyclic, &found));
		CU_ASSERT(!least || found.n >= least);
		fails++;
	}
	CU_ASSERT(holds && fails);
}

/* --- random executions ------------------------------------------------------------------------ */

static void random_event(struct prng *p, struct execution *x, u32 thread)
{
	struct execution_event *v = &x->event[x->n];
	u32 kind = (u32)prng_below(p, 17), e = x->n++;

	*v = (struct execution_event){.kind = (u8)kind, .thread = (u8)thread};
	if (!execution_is(x, e, KINDS_FENCES))
		v->loc = (u8)(1 + prng_below(p, x->nlocs));
	for (u32 k = 0; k < 3 && !execution_is(x, e, KINDS_FENCES); k++)
		for (u32 r = 0; r < e; r++)
			if (x->event[r].thread == thread && execution_is(x, r, KINDS_READS) &&
				!prng_below(p, 6) && (k != 1 || execution_is(x, e, KINDS_WRITES)))
				v->depends[k] |= 1u << r;
	if (kind_table[kind].op != KIND_RMW_READ || x->n == POINTS)
		return;
	x->event[x->n] = *v;
	x->event[x->n].kind = (u8)kind_partner(kind);
	x->event[x->n].half = (u8)(e + 1);
	v->half = (u8)(x->n + 1);
	x->n++;
}

static void random_places(struct prng *p, struct execution *x)
{
	u8 n[4] = {0};

	for (u32 e = 0; e < x->n; e++) {
		struct execution_event *v = &x->event[e];

		if (!execution_is(x, e, KINDS_WRITES))
			continue;
		v->place = (u8)(1 + prng_below(p, ++n[v->loc]));
		for (u32 k = 0; k < e; k++)
			if (execution_is(x, k, KINDS_WRITES) && x->event[k].loc == v->loc &&
				x->event[k].place >= v->place)
				x->event[k].place++;
	}
	for (u32 e = 0; e < x->n; e++) {
		u32 w = (u32)prng_below(p, x->n);

		x->event[e].rf = EXECUTION_INIT;
		if (execution_is(x, e, KINDS_READS) && execution_is(x, w, KINDS_WRITES) &&
			x->event[w].loc == x->event[e].loc)
			x->event[e].rf = (u8)w;
	}
}

/* A coherent one. */
static void random_execution(struct prng *p, struct execution *x)
{
	u32 tries = 0;

	do {
		if (tries++ % 50 == 0) {
			memset(x, 0, sizeof *x);
			x->nlocs = 1 + (u32)prng_below(p, 3);
			x->nthreads = 2 + (u32)prng_below(p, 2);
			for (u32 t = 0; t < x->nthreads; t++)
				for (u32 i = 1 + (u32)prng_below(p, 4); i && x->n < POINTS - 1; i--)
					random_event(p, x, t);
			for (u32 e = 0; e < x->n; e++)
				if (kind_partner(x->event[e].kind) < KIND_VIRTUAL &&
					!x->event[e].half)
					x->event[e].kind = 0;
		}
		random_places(p, x);
	} while (!execution_is_coherent(x));
}

static bool in_execution(void *ctx, u32 letter, u32 a, u32 b)
{
	return execution_has(ctx, letter, a, b);
}

static bool execution_has_cycle(const struct term *e, bool acyclic, struct execution *x)
{
	struct small_graph g = {.n = x->n, .has = in_execution, .ctx = x};

	for (u32 i = 0; i < x->n; i++)
		g.kind[i] = x->event[i].kind;
	return has_cycle(e, acyclic, &g);
}

/* What is claimed of all coherent executions has no exception among random ones. */
static void executions(void)
{
	static const letters have[] = {LETTERS_PO, LETTERS_PO, L(LOC), LETTERS_RF, L(RFE),
		LETTERS_CO, L(COE), LETTERS_FR, L(FRE), L(FRI), L(COI), L(ADDR), L(RMW), L(DIF)};
	static const struct theory theory = {.coherent = true};
	static struct execution x[400];
	unsigned holds = 0, cycles = 0;
	struct prng p;

	prng_seed(&p, 3);
	for (u32 i = 0; i < array_size(x); i++)
		random_execution(&p, &x[i]);
	for (unsigned i = 0; i < unit_count(500); i++) {
		u32 n = array_size(have);
		const struct term *e = random_term(&p, 2 + (u32)prng_below(&p, 4), have, n),
				  *f = random_term(&p, 2 + (u32)prng_below(&p, 6), have, n);
		struct automaton *a = claim_left(e, MARK_MORE, &no_view),
				 *b = automaton_cycles(term_union(f, term_seq(e, e)), MARK_MORE);

		f = term_union(f, term_seq(e, e));
		theory_widen(b, &theory);
		if (a->identity || b->identity || search(a, b, false, true))
			continue;
		holds++;
		for (u32 k = 0; k < array_size(x); k++) {
			bool has = execution_has_cycle(e, true, &x[k]);

			cycles += has;
			CU_ASSERT(!has || execution_has_cycle(f, true, &x[k]));
		}
	}
	CU_ASSERT(holds > 20 && cycles > 100);
}

/* --- models ----------------------------------------------------------------------------------- */

static const char *model_text;

static bool read_text(void *ctx, const char *from, const char *name, struct source *to)
{
	(void)ctx;
	(void)name;
	to->text = model_text;
	to->n = from ? 0 : (u32)strlen(model_text);
	return !from;
}

static struct cat *read_model(const char *text)
{
	static const struct cat_files files = {.read = read_text};
	struct cat *c = calloc(1, sizeof *c);
	struct cat_error err = {0};

	model_text = text;
	if (!cat_read(c, calloc(1, CAT_MEMORY), &files, "model", &err)) {
		printf("%s: %s\n", text, err.message);
		exit(1);
	}
	return c;
}

static bool confirm(void *ctx, const struct comparison *c, const struct event_word *w)
{
	return witness_find(w, &c->stronger, &c->weaker, ctx);
}

static const char *const parts[] = {"po & (R * M)", "po & (W * W)", "[W & (REL|SC)]; po",
	"po; [R & (ACQ|SC)]", "[R & (ACQ|SC)]; po", "po; [W & (REL|SC)]", "[RMW]; po", "po; [RMW]",
	"po; [F & SC]; po", "po; [F]; po; [W]", "po-loc; [W]", "addr", "data; rfi?", "rfe", "co",
	"fr", "coe", "fre", "[SC]; po; [SC]", "ctrl; [W]", "po-loc; fre"};

/* Some axioms with random relations. */
static char *random_model(struct prng *p)
{
	static const char *const tests[] = {"acyclic", "acyclic", "irreflexive"};
	char *text = calloc(1, 4000);

	for (u32 n = 1 + (u32)prng_below(p, 2); n; n--) {
		u32 test = (u32)prng_below(p, 3);

		strcat(text, tests[test]);
		strcat(text, test == 2 ? " (rfe | co | fr)+; (co" : " rfe | co | fr");
		for (u32 k = (u32)prng_below(p, 6); k; k--) {
			strcat(text, " | ");
			strcat(text, parts[prng_below(p, array_size(parts))]);
		}
		strcat(text, test == 2 ? ")+\n" : "\n");
	}
	return text;
}

/* The model with a part more, or less. */
static char *mutated(struct prng *p, const char *text)
{
	const char *end = strchr(text, '\n'), *bar = strstr(text, " | fr | ");
	char *to = calloc(1, strlen(text) + 200);

	if (bar && bar < end && prng_below(p, 2)) {
		const char *next = strstr(bar + 8, " | ");

		sprintf(to, "%.*s%s", (int)(bar + 5 - text), text, next && next < end ? next : end);
	} else {
		sprintf(to, "%.*s | %s%s", (int)(end - text), text,
			parts[prng_below(p, array_size(parts))], end);
		if (strncmp(text, "irr", 3) == 0)
			sprintf(to, "%s", text);
	}
	return to;
}

static void models(void)
{
	static struct execution x[1500], other;
	unsigned verdicts[3] = {0}, forbidden = 0;
	struct prng p;

	prng_seed(&p, 4);
	for (u32 i = 0; i < array_size(x); i++)
		random_execution(&p, &x[i]);
	for (unsigned i = 0; i < unit_count(50); i++) {
		char *text = random_model(&p), *changed = mutated(&p, text);
		bool swap = prng_below(&p, 2);
		static struct comparison c;

		memset(&c, 0, sizeof c);
		c.stronger.c = read_model(swap ? changed : text);
		c.weaker.c = read_model(swap ? text : changed);
		c.confirm = confirm;
		c.ctx = &other;
		CU_ASSERT(comparison_run(&c));
		verdicts[c.verdict]++;
		if (c.verdict == VERDICT_FAILS)
			CU_ASSERT(
				execution_is_coherent(&other) &&
				execution_forbidden(&other, &c.stronger) == c.stronger.c->naxioms &&
				execution_forbidden(&other, &c.weaker) < c.weaker.c->naxioms);
		for (u32 k = 0; k < array_size(x) && c.verdict == VERDICT_HOLDS; k++) {
			bool is = execution_forbidden(&x[k], &c.weaker) < c.weaker.c->naxioms;

			forbidden += is;
			CU_ASSERT(!is ||
				  execution_forbidden(&x[k], &c.stronger) < c.stronger.c->naxioms);
		}
	}
	CU_ASSERT(verdicts[VERDICT_HOLDS] && verdicts[VERDICT_FAILS] && forbidden);
	CU_ASSERT(verdicts[VERDICT_UNKNOWN] * 10 <=
		  verdicts[VERDICT_HOLDS] + verdicts[VERDICT_FAILS]);
}

const struct unit_test kater_tests[] = {
	{"words", words},
	{"circles", circles},
	{"executions", executions},
	{"models", models},
	{NULL, NULL},
};
