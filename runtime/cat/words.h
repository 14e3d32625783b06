/* SPDX-License-Identifier: ISC */
/* words.h - expressions of a model as text, for its author. */
#ifndef CAT_WORDS_H
#define CAT_WORDS_H

#include "base/text.h"
#include "cat/cat.h"

/*
 * The node as an expression of the language, with names for its parts; as a definition (whole),
 * not by its own name. Long ones end in "...".
 */
void cat_words(const struct cat *c, u32 node, bool whole, struct text *to);

/* The last name of the node; NULL: none, or it is a tag or a base relation. own: none of our
 * library's. */
const struct cat_name *cat_name_of(const struct cat *c, u32 node, bool own);

/*
 * An axiom that is checked of complete executions only: the part of it because of which it is, or 0
 * if that is the axiom itself.
 */
u32 cat_late_part(const struct cat *c, u32 axiom);

#endif
