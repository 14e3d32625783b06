/* SPDX-License-Identifier: ISC */
/*
 * natural.h - the natural run: one execution before all others, to be measured.
 *
 * The program runs once on store buffers, under SC, by one schedule (explore/natural.c). Bounds of
 * other executions are relative to its length. Its result is ignored: the search will find a
 * failure, too.
 */
#ifndef SEARCH_SCHEDULE_NATURAL_H
#define SEARCH_SCHEDULE_NATURAL_H

#include "base/option.h"

struct natural {
	bool ran, ended; /* ended by itself, or in a failure */
	bool passed;	 /* ended without a failure */
	bool stopped;	 /* the time was up */
	u32 steps;	 /* of the store-buffer machine */
	u64 alone;	 /* those of a single thread */
	u64 microseconds;
	u32 threads;
	u32 thread;   /* not ended: the number of the running thread, */
	u64 place;    /* and where it computed, or made its last access; 0 = not known */
};
extern struct natural natural;

/* Run it, and set M.max_steps. */
void natural_run(void);

/* The bound on steps that follows from it, or the default without one, unless an option sets it. */
u32 natural_bound(const struct options *o);

/* No execution has ended: M.status->held gets the progress of the natural run, or where an
 * execution was abandoned. */
void natural_note(void);

#endif
