/* SPDX-License-Identifier: ISC */
/*
 * failure.h - a failing execution, and whether it remains one when orders are stronger.
 *
 * From the trace are taken the events of each thread, and what each read reads from: they determine
 * what the program does, and so the failure. Whether an execution with these events, this
 * reads-from and other orders and fences exists is what model/verify.h (sc, tso, pso) and
 * model/co_solver.h (ra, rc11) decide, without running anything: no order of stores, schedule or
 * buffer of the trace counts, so that nothing it happens to delay gets into a clause. Of a data
 * race also whether the two accesses are unordered still; of threads that wait for ever, whether
 * what they read can be the last.
 *
 * Where that cannot be decided (accesses that overlap in part, more threads or events than there is
 * room for), or what is asked is not what was found, `exact` is false; then all that is known is
 * that the execution exists as long as nothing is done at its own points.
 */
#ifndef REPAIR_FAILURE_H
#define REPAIR_FAILURE_H

#include "repair/point.h"

struct failure_step;

struct failure {
	const struct trace *trace;
	enum model_id model;
	bool exact;
	bool *at; /* [npoints]: is it in this execution? of those that there were */
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

/* under: what was done at points when it was found, for which it has to remain; else it is not
 * exact. */
struct failure *failure_open(const struct trace *t, const struct points *p, enum model_id m,
	const struct stronger *under);

/* Is it still there? Exact ones only. */
bool failure_remains(const struct failure *f, const struct points *p, const struct stronger *at);

/*
 * A clause: the options of which any repair has at least one, found by doing as much as possible at
 * points without losing the execution; cheap things first, so that it is expensive to satisfy. With
 * what is in `under` it remains. (If it is not exact: with what there was when it was found.)
 * Returns how many; option has room for all.
 */
u32 failure_clause(
	const struct failure *f, const struct points *p, const struct stronger *under, u32 *option);

/*
 * What an option is there for, from an execution that it would forbid: "keeps the store of x
 * (sb.c:30) before the load of y (sb.c:34)". NULL: the point is not in it.
 */
struct report;
char *failure_reason(const struct failure *f, const struct report *r, const struct option *o);

#endif
