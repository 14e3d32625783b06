/* SPDX-License-Identifier: ISC */
/*
 * passing.h - the passing execution that is closest to a failing one: of those tried, the one that
 * has the longest beginning in common with it.
 *
 * The choices of the failing execution are followed up to one that is made in another way; then the
 * threads run on as on one processor, without weak behaviour. This is tried for the last choice,
 * the one before it, and so on, until an execution ends without a finding. So the step at which the
 * two differ is about the last one at which the failure could be avoided; a later one may have been
 * missed, as the threads run on in one way only. As yielding() of Groce and Visser's "what went
 * wrong" (SPIN 2003), for a single failing execution.
 *
 * Used by a process that replays (option passing): it writes the passing execution to its replay
 * file instead of the failing one. Not thread-safe.
 */
#ifndef FAILURE_PASSING_H
#define FAILURE_PASSING_H

#include "event/trace.h"
#include "model/linearize.h"
#include "trust/trust.h"

/* Milliseconds of CPU time, and attempts, after which the search ends without a result. */
#define PASSING_MS    500
#define PASSING_TRIES 20000

/* On store buffers, which are set up for the replay of `failed`; its n choices, as logged. Returns
 * the exit code: 0, and the file is written; 3: none was found. */
int passing_search(const struct trace *failed, const u32 *choices, u32 n);

/* In graphs. x follows the program of `failed`; p: its events in order; add(failed, i) adds the
 * event of choice i to both, and returns the number of choices used, 0: impossible. */
int passing_search_graph(struct trust *x, struct plan *p, const struct trace *failed,
	u32 (*add)(const struct trace *failed, u32 i));

/* --- for both -------------------------------------------------------------------------------- */

/* The time starts. / Is there any left? Counts an attempt. */
void passing_begin(void);
bool passing_may_go_on(void);

/* The finding of the new file: none, as far as its format allows. */
struct status_finding *passing_finding(void);

#endif
