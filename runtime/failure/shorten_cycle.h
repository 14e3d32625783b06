/* SPDX-License-Identifier: ISC */
/*
 * shorten_cycle.h - state cycles: shortened for the report, and searched for where strategies do
 * not find them.
 *
 * Shorten. The search stops an execution when a state recurs (state_cycle.h), some thousand steps
 *         from its beginning. The same choices are followed again, up to the first state that ever
 *         recurs: the report has the path to that state, and one period.
 * Probe.  Execution graphs have no cycles of states: they grow until they are too large. When one
 *         reaches PROBE_EVENTS events, the program runs PROBE_EXECUTIONS times on the store-buffer
 *         machine under SC, which every model allows, with a fair scheduler that favours starvation
 *         (explore/fair.c). A cycle is reported; without one the search begins again, without
 *         probing.
 */
#ifndef FAILURE_SHORTEN_CYCLE_H
#define FAILURE_SHORTEN_CYCLE_H

#include "event/finding.h"

#define PROBE_EVENTS	 1000
#define PROBE_EXECUTIONS 400
#define PROBE_STEPS	 4000 /* of an execution */
#define PROBE_AFTER	 0    /* as state_cycle_after */
#define PROBE_NS	 1000000000 /* maximum CPU time */
#define PROBE_SHARE	 8 /* of --time: at most this part of it, on a busy machine */

/*
 * M.finding is a recurring state of the execution with the choices in M.explore.log: classify it,
 * with few steps; M.explore.nlog is then the number of choices that lead there, and around once.
 * state_cycle_from stays set, for following them. False: not selected by --detect; sets M.outcome.
 */
bool shorten_cycle(void);

#endif
