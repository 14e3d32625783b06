/* SPDX-License-Identifier: ISC */
/*
 * share.h - the exploration of graphs by several processes (--jobs), or by this one in pieces
 * (--checkpoint, --resume).
 *
 * Idea.   One process explores alone for a moment, as most programs have no more to see, and the
 *         locations and threads of the others are known by then. It forks workers, which inherit
 *         all it knows; the first goes on with what there is. A worker that has nothing to do says
 *         so, and one that has saved graphs gives its lowest one away, at its next leaf
 *         (trust/frontier.h).
 * Killed. A worker has a *record* in shared memory: the task that it works on, and what it had
 *         counted before. Records are replaced as a whole. When a worker dies, another one begins
 *         its task again, and leaves out what had been given away since, which is in the record as
 *         well.
 * Again.  What makes all that was found so far void (ANSWER_RESTART) ends all workers; what
 *         has been learnt is in shared memory (process/shared.h): extents, slots of threads,
 *         promoted locations.
 */
#ifndef SEARCH_SHARE_H
#define SEARCH_SHARE_H

#include "trust/trust.h"
#include "graph/execute.h"
#include "search/exchange.h"

/* Explore x, by the options; M.status has the figures afterwards. False: it cannot be done, the
 * status page's note says why. */
bool share_explore(struct trust *x);

/* Why it stopped; what execute_stopped() and execute_words() say when there is one process. */
enum execute_stop share_stopped(void);
const char *share_words(void);

/* After each leaf. False: stop. */
bool share_leaf(void);

/* Does this process still repeat what a killed worker had done before it gave something away? Then
 * what is left is unknown, and it must not stop: a checkpoint would have what was given away
 * twice. */
bool share_repeats(void);

/* Executions of this run (--resume: without earlier ones), of this process. */
u64 share_counted(void);

/* While a finding is added: one process at a time, M.status is the page that has all of them. */
void share_enter(void);
void share_leave(void);

#endif
