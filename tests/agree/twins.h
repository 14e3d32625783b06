/* SPDX-License-Identifier: ISC */
/* twins.h - graph programs with threads that do the same, and their executions up to the names of
 * these. */
#ifndef AGREE_TWINS_H
#define AGREE_TWINS_H

#include "interpret.h"

/* Some threads of p become like the first one. False: the program does not allow it. */
bool twins_make(struct gprogram *p, uint64_t seed);

/* Do they do the same? */
bool twins_are(const struct gprogram *p, int t, int u);

/* Compares what the explorer has found, one execution of those that differ in the names of such
 * threads, with all of them. Returns NULL, or the error. */
const char *twins_wrong(const struct gprogram *p, const struct executions *complete,
	const struct executions *stuck, const struct exploration *found);

/* How many there were in all comparisons. */
void twins_print(void);

#endif
