/* SPDX-License-Identifier: ISC */
/*
 * inclusion.h - is each cycle of one automaton one of another?
 *
 * A breadth-first search over the words of the first, with the determinised second, which is built
 * as it is needed (Kokologiannakis, thesis, 9.1). Where a circular word begins is not known in the
 * second, nor how many times around it has to be read there: its state is a relation between its
 * states, before and after what has been read. A relation that contains another one that has been
 * reached with the same state of the first is not followed (antichains: De Wulf, Doyen, Henzinger,
 * Raskin, CAV 2006). So the first word found is a shortest one. A state after implies those that it
 * simulates.
 */
#ifndef KATER_INCLUSION_H
#define KATER_INCLUSION_H

#include "kater/automaton.h"

#define WORD_EVENTS 24

/* A circle: letter i leads to event i, from the one before; to event 0 from the last. */
struct event_word {
	u32 n;
	u8 letter[WORD_EVENTS], kind[WORD_EVENTS];
};

/* Which circles are none of any execution. */
struct possible {
	bool always;   /* all are possible: words, not circles */
	bool coherent; /* executions are: po-loc, rf, co and fr have no cycle */
};

struct inclusion {
	struct automaton *a, *b; /* split, and reduced; a is restricted */
	struct possible possible;
	/* Called with the words that are missing, a shortest one first; true: it is enough. */
	bool (*missing)(void *ctx, const struct event_word *w);
	void *ctx;
	u32 words; /* stop after so many missing words; 0: 1 */
	/* the result */
	u32 nmissing;
	u32 nstates;  /* that have been visited */
	bool gave_up; /* at a limit of memory, or of a word's length */
};

/* Fills in the result: all are included if nothing is missing and it did not give up. */
void inclusion_search(struct inclusion *s);

#endif
