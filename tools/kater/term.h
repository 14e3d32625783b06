/* SPDX-License-Identifier: ISC */
/* term.h - relations as regular expressions over letters and tests: Kleene algebra with
 * tests (Kozen, TOPLAS 1997). Immutable; shared; never freed. */
#ifndef KATER_TERM_H
#define KATER_TERM_H

#include "kater/letter.h"

enum term_op {
	TERM_TEST,    /* identity on events of these kinds; none: the empty relation */
	TERM_LETTERS, /* one of them */
	TERM_UNION,
	TERM_SEQ,
	TERM_PLUS,
};

struct term {
	u8 op;
	u64 set; /* TEST: kinds, the virtual ones included; LETTERS */
	const struct term *a, *b;
};

const struct term *term_test(kinds set);
const struct term *term_letters(letters l);
const struct term *term_union(const struct term *a, const struct term *b);
const struct term *term_seq(const struct term *a, const struct term *b);
const struct term *term_plus(const struct term *a);
const struct term *term_opt(const struct term *a);
const struct term *term_inverse(const struct term *a);
#define term_none() term_test(0)

static inline bool term_is_empty(const struct term *e)
{
	return e->op == TERM_TEST && !e->set;
}

/* Its paths whose letters are all among these. */
const struct term *term_within(const struct term *e, letters l);
/* Its paths that end with one of the letters, without that one; and those that do not. */
const struct term *term_before(const struct term *e, letters l);
const struct term *term_not_before(const struct term *e, letters l);
/* All letters that it has. */
letters term_letters_of(const struct term *e);

#endif
