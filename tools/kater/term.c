/* SPDX-License-Identifier: ISC */
/* term.c - see term.h. */
#include "kater/term.h"

#include "die.h"

static const struct term *make(u8 op, u64 set, const struct term *a, const struct term *b)
{
	struct term *e = xmalloc(sizeof(*e));

	*e = (struct term){op, set, a, b};
	return e;
}

const struct term *term_test(kinds set)
{
	return make(TERM_TEST, set, NULL, NULL);
}

const struct term *term_letters(letters l)
{
	return l ? make(TERM_LETTERS, l, NULL, NULL) : term_none();
}

const struct term *term_union(const struct term *a, const struct term *b)
{
	if (term_is_empty(a) || a == b)
		return b;
	if (term_is_empty(b))
		return a;
	if (a->op == b->op && a->op <= TERM_LETTERS)
		return make(a->op, a->set | b->set, NULL, NULL);
	return make(TERM_UNION, 0, a, b);
}

const struct term *term_seq(const struct term *a, const struct term *b)
{
	if (term_is_empty(a) || term_is_empty(b))
		return term_none();
	if (a->op == TERM_TEST && b->op == TERM_TEST)
		return term_test(a->set & b->set);
	if (a->op == TERM_TEST && a->set == ~0ull)
		return b;
	if (b->op == TERM_TEST && b->set == ~0ull)
		return a;
	return make(TERM_SEQ, 0, a, b);
}

const struct term *term_plus(const struct term *a)
{
	if (a->op == TERM_TEST || a->op == TERM_PLUS)
		return a;
	return make(TERM_PLUS, 0, a, NULL);
}

const struct term *term_opt(const struct term *a)
{
	return term_union(term_test(~0ull), a);
}

const struct term *term_inverse(const struct term *e)
{
	switch (e->op) {
	case TERM_TEST: return e;
	case TERM_LETTERS: return term_letters(letters_inverse(e->set));
	case TERM_UNION: return term_union(term_inverse(e->a), term_inverse(e->b));
	case TERM_SEQ: return term_seq(term_inverse(e->b), term_inverse(e->a));
	}
	return term_plus(term_inverse(e->a));
}

const struct term *term_within(const struct term *e, letters l)
{
	switch (e->op) {
	case TERM_TEST: return e;
	case TERM_LETTERS: return term_letters(e->set & l);
	case TERM_UNION: return term_union(term_within(e->a, l), term_within(e->b, l));
	case TERM_SEQ: return term_seq(term_within(e->a, l), term_within(e->b, l));
	}
	return term_plus(term_within(e->a, l));
}

letters term_letters_of(const struct term *e)
{
	switch (e->op) {
	case TERM_TEST: return 0;
	case TERM_LETTERS: return e->set;
	case TERM_PLUS: return term_letters_of(e->a);
	}
	return term_letters_of(e->a) | term_letters_of(e->b);
}

/* The tests by which it leads from an event to itself, without a letter. */
static kinds nullable(const struct term *e)
{
	switch (e->op) {
	case TERM_TEST: return e->set;
	case TERM_LETTERS: return 0;
	case TERM_UNION: return nullable(e->a) | nullable(e->b);
	case TERM_SEQ: return nullable(e->a) & nullable(e->b);
	}
	return nullable(e->a);
}

typedef const struct term *part(letters have, letters l);

static const struct term *last(const struct term *e, letters l, part *of)
{
	const struct term *end;

	switch (e->op) {
	case TERM_TEST: return term_none();
	case TERM_LETTERS: return of(e->set, l);
	case TERM_UNION: return term_union(last(e->a, l, of), last(e->b, l, of));
	case TERM_SEQ:
		end = term_seq(last(e->a, l, of), term_test(nullable(e->b)));
		return term_union(term_seq(e->a, last(e->b, l, of)), end);
	}
	return term_seq(term_opt(term_plus(e->a)), last(e->a, l, of));
}

static const struct term *left_out(letters have, letters l)
{
	return have & l ? term_test(~0ull) : term_none();
}

static const struct term *others(letters have, letters l)
{
	return term_letters(have & ~l);
}

const struct term *term_before(const struct term *e, letters l)
{
	return last(e, l, left_out);
}

const struct term *term_not_before(const struct term *e, letters l)
{
	return last(e, l, others);
}
