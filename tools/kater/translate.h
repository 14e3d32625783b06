/* SPDX-License-Identifier: ISC */
/*
 * translate.h - the expressions of a model in a file as regular ones.
 *
 * Expressions that are not regular are approximated, from above where more cycles make a claim
 * stronger, and from below where fewer do: an intersection by one of its sides, or by nothing; a
 * difference likewise; a `let rec' by all sequences of its parts, or by its first iterations.
 * Intersections with loc, int, ext and products of sets are exact for single edges.
 */
#ifndef KATER_TRANSLATE_H
#define KATER_TRANSLATE_H

#include "cat/cat.h"
#include "kater/term.h"

#define TRANSLATE_NOTES 16
#define TRANSLATE_DEPTH 3 /* iterations of a let rec, from below */

struct translator {
	const struct cat *c;
	struct kind_view view;
	const struct term **memo[2][TRANSLATE_DEPTH + 1];
	/* The parts approximated from above, or from below. */
	u32 nnotes[2];
	u16 note[2][TRANSLATE_NOTES];
	/* Is it known that a path of e never leads to where it came from, by rf, co and fr? Then
	 * e & loc is in these. NULL: not known. */
	bool (*agrees)(void *ctx, const struct term *e);
	void *ctx;
	bool by_order; /* then, to a read, too, by rf behind these; else, to a read, it stays e */
	char *wrong;   /* why it is refused; NULL: it is not */
};

enum bound { BOUND_ABOVE, BOUND_BELOW };

/* False: t->wrong. */
bool translate_begin(struct translator *t, const struct cat *c);
const struct term *translate(struct translator *t, u32 node, enum bound b);

/* A relation whose irreflexivity, or, *acyclic, acyclicity, is the axiom. */
const struct term *translate_axiom(
	struct translator *t, const struct cat_axiom *x, enum bound b, bool *acyclic);

#endif
