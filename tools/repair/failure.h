/* SPDX-License-Identifier: ISC */
/*
 * failure.h - a failing execution, and whether it exists under stronger orders.
 *
 * The events of each thread and their reads-from, from the trace, determine the behaviour of the
 * program, and so the failure. verify/verify.h (sc, tso, pso) and model/co_solver.h (ra, rc11)
 * decide, without running the program, whether an execution with these events, this reads-from and
 * other orders and fences exists: the order of stores, schedule and buffers of the trace are
 * ignored, so that accidental delays do not get into a clause. They also decide whether the two
 * accesses of a data race are still unordered, and whether the writes that threads wait on for ever
 * can be the last.
 *
 * If that cannot be decided (accesses that overlap in part, too many threads or events, a model in
 * a file), or the question differs from the finding, `exact` is false; then the execution is only
 * known to exist as long as its own points are unchanged.
 */
#ifndef REPAIR_FAILURE_H
#define REPAIR_FAILURE_H

#include "repair/point.h"

struct failure_step;

struct failure {
	const struct trace *trace;
	enum model_id model;
	bool exact;
	bool *at; /* [npoints]: is it in this execution? */
	struct stronger *under; /* [npoints]: when it was found */
	u32 npoints;
	struct failure_step *step;
	u32 nsteps, nthreads, nlocations;
	u32 race[2]; /* steps that are to be unordered; 0 = none */
	struct {
		u32 location, write; /* step, 0 = the initial value */
	} last[8]; /* writes that have to be the last: threads wait for another one */
	u32 nlast;
};

/* under: the changes when it was found, with which it has to exist; else it is not exact. */
struct failure *failure_open(const struct trace *t, const struct points *p, enum model_id m,
	const struct stronger *under);

/* Does the execution exist under the changes? Exact ones only. */
bool failure_remains(const struct failure *f, const struct points *p, const struct stronger *at);

/*
 * A clause: options of which any repair has at least one, found by strengthening as much as
 * possible while the execution exists; cheap options first, so that it is expensive to satisfy.
 * It exists with the changes in `under`. (If it is not exact: with those when it was found.)
 * Returns the number; option has room for all.
 */
u32 failure_clause(
	const struct failure *f, const struct points *p, const struct stronger *under, u32 *option);

/*
 * The purpose of an option, from an execution that it would forbid: "keeps the store of x
 * (sb.c:30) before the load of y (sb.c:34)". NULL: the point is not in it.
 */
struct report;
char *failure_reason(const struct failure *f, const struct report *r, const struct option *o);

#endif
