/* SPDX-License-Identifier: ISC */
/*
 * loop_word.h - sets of words, written as a word with loops: x (y z | u)* y.
 *
 * The possible contents of a store buffer without a bound: a loop stands for any number of
 * iterations of one of its alternatives, in any order. Letters are numbers of the caller's.
 */
#ifndef MODEL_LOOP_WORD_H
#define MODEL_LOOP_WORD_H

#include "base/base.h"

#define LOOP_WORD_ITEMS 96
#define LOOP_WORD_ALTS	8 /* alternatives of a loop */

struct loop {
	u32 n;
	struct loop_alt {
		const u16 *letter;
		u32 n; /* at least 1 */
	} alt[LOOP_WORD_ALTS];
};

struct loop_item {
	const struct loop *loop; /* NULL: the letter */
	u16 letter;
};

struct loop_word {
	u32 n;
	struct loop_item item[LOOP_WORD_ITEMS];
};

/*
 * Is each word of `a' one of `b'? By the subsets of b's positions that words of a lead to. False,
 * too, if these are too many to decide.
 */
bool loop_word_includes(const struct loop_word *b, const struct loop_word *a);

#endif
