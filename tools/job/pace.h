/* SPDX-License-Identifier: ISC */
/*
 * pace.h - does a finding need a sleep or a timed wait that ends while others could still move?
 *
 * A report answers this only for its own execution. So, if time permits, Heddle looks for the
 * finding again with time that passes only when no thread can move (--sleepers last), in a bounded
 * number of executions, so that the answer does not depend on the load. If there is one, it
 * replaces the other: it needs no slow thread. Where a thread works for as long as another one
 * sleeps, few executions end, and a bound on the time ends the search.
 */
#ifndef JOB_PACE_H
#define JOB_PACE_H

#include "job/job.h"

#define PACE_EXECUTIONS	  1000
#define PACE_MICROSECONDS 5000000 /* beside the time that the search for the finding took */

/* Search again for all findings of the job that depend on timing. */
void pace_findings(struct job *j);

#endif
