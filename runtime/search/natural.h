/* SPDX-License-Identifier: ISC */
/*
 * natural.h - the natural run: one execution before all others, for its measures.
 *
 * The program runs once on store buffers, under SC, by one schedule (explore/natural.c). Its length
 * is the scale of the bounds of others. Its end is no result: a failure will also be found by the
 * search.
 */
#ifndef SEARCH_NATURAL_H
#define SEARCH_NATURAL_H

#include "base/option.h"

struct natural {
	bool ran, ended; /* ended: by itself, also in a failure */
	u32 steps;	 /* of the store-buffer machine */
	u32 threads;
	u32 thread;   /* not ended: the number of the one that ran, */
	u64 place;    /* and the code address of its last access; 0 = not known */
};
extern struct natural natural;

/* Run it, and set M.max_steps. */
void natural_run(void);

/* The bound on steps that goes with it, or with none, unless the options have one. */
u32 natural_bound(const struct options *o);

/* No execution has ended: M.status->held has how far the natural run came. */
void natural_note(void);

#endif
