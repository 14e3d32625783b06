/* SPDX-License-Identifier: ISC */
/*
 * pace.h - does a finding need a sleep or a timed wait that ends while others could still move?
 *
 * The report of an execution says that of this execution. So the finding is searched for again,
 * where time passes only when no thread can move (--sleepers last): in a bounded number of
 * executions, so that the answer does not depend on the load, as far as there is time. If it is
 * found, that execution takes the place of the other: it needs no slow thread.
 */
#ifndef TOOLS_PACE_H
#define TOOLS_PACE_H

#include "job.h"

#define PACE_EXECUTIONS 1000

/* Of all findings of the job that depend on timing. */
void pace_findings(struct job *j);

#endif
