/* SPDX-License-Identifier: ISC */
/*
 * inclusion.h - is each cycle of one automaton one of another?
 *
 * A breadth-first search over the words of the first automaton; the second is determinised on
 * demand (Kokologiannakis, thesis, 9.1). The second does not know where a circular word begins, nor
 * how many times around it will be read, so its state is a relation between its states before and
 * after the letters read. A relation that contains one already reached with the same state of the
 * first is not followed (antichains: De Wulf, Doyen, Henzinger, Raskin, CAV 2006). So the first
 * word found is a shortest one. A state afterwards implies the states that it simulates.
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

/* Which circles are possible in an execution. */
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
	u32 words; /* stop after this many missing words; 0: 1 */
	/* the result */
	u32 nmissing;
	u32 nstates;  /* that have been visited */
	bool gave_up; /* at a limit of memory, or of a word's length */
};

/* Fills in the result: all are included if nothing is missing and it did not give up. */
void inclusion_search(struct inclusion *s);

#endif
