/* SPDX-License-Identifier: ISC */
/*
 * share.h - the exploration of graphs by several processes (--jobs), or by this one in pieces
 * (--checkpoint, --resume).
 *
 * Idea.   One process explores alone at first: most programs need no more, and for the others this
 *         reveals locations and threads. It forks workers, which inherit this state; the first
 *         continues the work. An idle worker announces itself, and a worker with saved graphs gives
 *         its lowest one away at its next leaf (trust/image/frontier.h).
 * Killed. A worker has a *record* in shared memory: its current task, and its counts before it.
 *         Records are replaced as a whole. When a worker dies, another one repeats its task,
 *         without the parts given away since, which the record lists.
 * Again.  ANSWER_RESTART, which voids all results, ends all workers; knowledge of the program is in
 *         shared memory (process/shared.h): extents, slots of threads, promoted locations.
 */
#ifndef SEARCH_JOBS_SHARE_H
#define SEARCH_JOBS_SHARE_H

#include "trust/trust.h"
#include "failure/verdict.h"
#include "graph/execute.h"
#include "search/jobs/exchange.h"

/* Explore x, by the options; M.status has the figures afterwards. As long as alone() says so, there
 * are no workers. False: impossible, for the reason in the status page's note. */
bool share_explore(struct trust *x, bool (*alone)(const struct trust *x));

/* The reason why it stopped, as execute_stopped() and execute_words() for one process. */
enum execute_stop share_stopped(void);
const char *share_words(void);

/* After each leaf. False: stop. */
bool share_leaf(void);

/*
 * A finding, at a leaf: worker_enter(), while the other processes need not wait for this one. In
 * the end the findings of all processes are put into the order of a search by one process; if one
 * of them ends the search, nothing behind it is explored, and what precedes it is.
 *
 * The finding with this index, and that verdict, was found here; its counts are those up to this
 * place. Returns the verdict for this process. / Would one process come here before the place where
 * it was found?
 */
void share_enter(void);
enum search_verdict share_found(u32 finding, enum search_verdict verdict);
bool share_precedes(u32 finding);

/* The indices of the findings of workers in that order, up to one that ends the search. Returns
 * their number. */
u32 share_findings(u32 *finding);
bool share_was_found(u32 finding); /* by a worker */

/* Let the other processes pause, as trial executions follow, of which they must not learn. False:
 * some do not, or cannot. In either case be_together() ends it. */
bool share_be_alone(void);
void share_be_together(void);

/* Does this process still repeat work that a killed worker did before it gave a part away? Then the
 * remaining work is unknown, and this process must not stop: a checkpoint would contain that part
 * twice. */
bool share_repeats(void);

/* The least of the recent estimates of this process alone, of executions and blocked ones, even if
 * they differ widely; 0: there are too few. */
u64 share_least_estimate(void);

/* Executions of this run (--resume: without earlier ones), of this process. */
u64 share_counted(void);

/* An execution was cut at a bound on the iterations of a loop. */
void share_count_cut(void);

#endif
