/* SPDX-License-Identifier: ISC */
/*
 * shorten_cycle.h - executions that go round: shown shortly, and looked for where strategies do not
 * meet them.
 *
 * Settle. The search stops an execution when a state has come back (state_cycle.h), some thousand
 *         steps from its beginning. The same choices are followed again, and the first state looked
 *         for that ever comes back: what is reported then is the way there, and once around.
 * Probe.  Execution graphs do not go round: they grow until they are too large. When one has grown
 *         to PROBE_EVENTS events, the program is run PROBE_EXECUTIONS times on the store-buffer
 *         machine under SC, which every model allows, with a scheduler that is fair and wants
 *         threads to starve (explore/fair.c). What goes round there is reported; if nothing does,
 *         the search begins again, and does not ask.
 */
#ifndef SEARCH_SHORTEN_CYCLE_H
#define SEARCH_SHORTEN_CYCLE_H

#include "event/finding.h"

#define PROBE_EVENTS	 1000
#define PROBE_EXECUTIONS 400
#define PROBE_STEPS	 4000 /* of an execution */
#define PROBE_AFTER	 0    /* as state_cycle_after */
#define PROBE_NS	 1000000000 /* of CPU time, nor longer than this */

/*
 * M.finding is a state that has come back, of the execution whose choices M.explore.log has: find
 * out what it is, with few steps; M.explore.nlog is then how many of the choices lead there, and
 * back to the state once. state_cycle_from stays set, for following them. False: it is nothing that
 * is wanted (--detect), and M.outcome says so.
 */
bool shorten_cycle(void);

#endif
