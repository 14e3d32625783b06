/* SPDX-License-Identifier: ISC */
/* words_priv.h - loops of words, for words.c and word_pump.c. */
#ifndef PROVE_WORDS_PRIV_H
#define PROVE_WORDS_PRIV_H

#include "prove/words.h"

struct word_loop {
	struct loop language;
	struct {
		const u64 *step, *before;
		u32 n, nbefore;
	} way[LOOP_WORD_ALTS];
	u16 base; /* it has some of the alternatives of this one, or is it */
	word_alts alts;
};

extern struct word_loop word_loops[];

/* The loop of some alternatives of a loop; 0: of none. *full: there is no room for it. */
u16 word_some_of(u16 loop, word_alts alts, bool *full);

/* No load of this range, after item `from` of the word, reads from the word: alternatives with a
 * store there are taken from the items behind it. */
void word_narrow_after(struct buffer_word *w, int from, u64 addr, u32 size);

#endif
