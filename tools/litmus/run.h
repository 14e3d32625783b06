/* SPDX-License-Identifier: ISC */
/* run.h - a litmus test, compiled and explored, and its result as herd prints it. */
#ifndef LITMUS_RUN_H
#define LITMUS_RUN_H

#include "base/option.h"
#include "litmus/litmus.h"
#include "path.h"
#include "report/summary.h"

/* The i-th location's address is this number + i among the values observed. */
#define RUN_ADDRESSES 0x4c49000000000000

/* Of the executions, those of which the condition holds, and the others. */
struct litmus_counts {
	u64 positive, negative;
};

/* Write and compile its program in a folder: the path. NULL: see t->problem. */
char *litmus_build(struct litmus *t, const char *folder, bool tracks_deps);

/* Count, and print states, verdict and counts. */
struct litmus_counts litmus_show(const struct litmus *t, const struct summary *s, FILE *out);

/* "Sometimes", "Always" or "Never". */
const char *litmus_observation(const struct litmus_counts *c);

#endif
