/* SPDX-License-Identifier: ISC */
/* filter.c - see filter.h. */
#include "kater/filter.h"

#define BOTH(l) ((l) | (l) << LETTER_INVERSE)
#define SAME	BOTH(LETTERS_SAME)
#define WITHIN	BOTH(LETTERS_WITHIN)

static struct filter one_term(letters may, letters must, kinds source, kinds target, kinds id)
{
	struct filter f = {.n = 1, .id = id};

	f.term[0] = (struct filter_term){may, must, source, target};
	return f;
}

struct filter filter_all(void)
{
	return one_term(~0ull, ~0ull, ~0ull, ~0ull, ~0ull);
}

struct filter filter_loc(void)
{
	return one_term(SAME | BOTH(LETTERS_DEPS) | L(ANY), SAME, ~0ull, ~0ull,
		kinds_of(KINDS_READS | KINDS_WRITES));
}

struct filter filter_int(void)
{
	return one_term(WITHIN | L(ANY), WITHIN, ~0ull, ~0ull, ~0ull);
}

struct filter filter_id(void)
{
	return (struct filter){.n = 0, .id = ~0ull};
}

struct filter filter_product(kinds source, kinds target)
{
	return one_term(~0ull, ~0ull, source, target, source & target);
}

struct filter filter_union(struct filter f, struct filter g)
{
	for (u32 i = 0; i < g.n; i++) {
		if (f.n >= FILTER_TERMS) {
			f.n = FILTER_TERMS + 1;
			return f;
		}
		f.term[f.n++] = g.term[i];
	}
	f.id |= g.id;
	return f;
}

struct filter filter_inter(struct filter f, struct filter g)
{
	struct filter to = {.n = 0, .id = f.id & g.id};

	if (f.n > FILTER_TERMS || g.n > FILTER_TERMS) {
		to.n = FILTER_TERMS + 1;
		return to;
	}
	for (u32 i = 0; i < f.n; i++)
		for (u32 k = 0; k < g.n; k++) {
			struct filter_term t = f.term[i], o = g.term[k];

			t.may &= o.may;
			t.must &= o.must;
			t.source &= o.source;
			t.target &= o.target;
			if (!t.may || !t.source || !t.target)
				continue;
			if (to.n >= FILTER_TERMS) {
				to.n = FILTER_TERMS + 1;
				return to;
			}
			to.term[to.n++] = t;
		}
	return to;
}

static struct filter term_not(const struct filter_term *t)
{
	struct filter to = {.n = 0, .id = ~0ull};

	if (~t->must)
		to.term[to.n++] = (struct filter_term){~t->must, ~t->may, ~0ull, ~0ull};
	if (~t->source)
		to.term[to.n++] = (struct filter_term){~0ull, ~0ull, ~t->source, ~0ull};
	if (~t->target)
		to.term[to.n++] = (struct filter_term){~0ull, ~0ull, ~0ull, ~t->target};
	return to;
}

struct filter filter_not(struct filter f)
{
	struct filter to = filter_all();

	if (f.n > FILTER_TERMS)
		return f;
	for (u32 i = 0; i < f.n; i++)
		to = filter_inter(to, term_not(&f.term[i]));
	to.id = ~f.id;
	return to;
}

struct filter filter_inverse(struct filter f)
{
	for (u32 i = 0; i < f.n && i < FILTER_TERMS; i++) {
		kinds source = f.term[i].source;

		f.term[i].source = f.term[i].target;
		f.term[i].target = source;
	}
	return f;
}

bool filter_is_loc(const struct filter *f)
{
	struct filter loc = filter_loc();

	return f->n == 1 && f->term[0].may == loc.term[0].may &&
	       f->term[0].must == loc.term[0].must;
}

/* --- application ------------------------------------------------------------------------------ */

static const struct term *narrowed(const struct filter_term *t, const struct term *e)
{
	return term_seq(term_test(t->source), term_seq(e, term_test(t->target)));
}

/* A path whose edges all are within one location, or thread, is. */
static letters closed_letters(letters must)
{
	return must == SAME || must == WITHIN || must == (SAME & WITHIN) ? must : 0;
}

static const struct term *apply_term(
	const struct filter_term *t, const struct term *e, bool above, bool *exact)
{
	if (t->must == ~0ull)
		return narrowed(t, e);
	*exact = false;
	return narrowed(t, above ? e : term_within(e, closed_letters(t->must)));
}

static const struct term *apply_letters(const struct filter *f, letters l, bool above, bool *exact)
{
	const struct term *to = term_none();

	for (u32 i = 0; i < f->n; i++) {
		const struct filter_term *t = &f->term[i];

		*exact &= !(l & t->may & ~t->must);
		to = term_union(to, narrowed(t, term_letters(l & (above ? t->may : t->must))));
	}
	return to;
}

/* Tests and one letter: they can be exchanged with the condition. */
static bool is_single(const struct term *e)
{
	return e->op == TERM_LETTERS ||
	       (e->op == TERM_SEQ && e->a->op == TERM_TEST && is_single(e->b)) ||
	       (e->op == TERM_SEQ && e->b->op == TERM_TEST && is_single(e->a));
}

const struct term *filter_apply(
	const struct filter *f, const struct term *e, bool above, bool *exact)
{
	const struct term *to = term_none();

	switch (e->op) {
	case TERM_TEST: return term_test(e->set & f->id);
	case TERM_LETTERS: return apply_letters(f, e->set, above, exact);
	case TERM_UNION:
		return term_union(
			filter_apply(f, e->a, above, exact), filter_apply(f, e->b, above, exact));
	}
	if (is_single(e)) {
		bool left = e->a->op == TERM_TEST;

		to = filter_apply(f, left ? e->b : e->a, above, exact);
		return left ? term_seq(e->a, to) : term_seq(to, e->b);
	}
	for (u32 i = 0; i < f->n; i++)
		to = term_union(to, apply_term(&f->term[i], e, above, exact));
	return to;
}
