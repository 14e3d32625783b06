/* SPDX-License-Identifier: ISC */
/*
 * worker.h - a process that explores a part of the executions for its parent (--jobs; share.h,
 * sample_share.h).
 *
 * It counts on a status page of its own, in shared memory; its parent adds them up. Findings are on
 * the page of `heddle run`, which is M.status between worker_enter() and worker_leave(), for one
 * process at a time.
 */
#ifndef SEARCH_JOBS_WORKER_H
#define SEARCH_JOBS_WORKER_H

#include "event/status.h"

/* Fork. Returns its process id; 0 in the new process, which ends with its parent; less than 0: it
 * could not be started. */
long worker_fork(void);

/* In the new process: `own` is the page of its counts, `lock` that of findings. */
void worker_begin(struct status *own, volatile u32 *lock);

/* Has it ended? *code: as from waitpid(). If a worker ends by a bug in Heddle, which it has
 * printed, this process ends likewise. */
bool worker_ended(i32 pid, int *code);

/* Ask it to stop; the second call kills it. */
void worker_stop(i32 pid, struct status *own, bool kill);

/* M.status is the common page in between; no effect in a process that is not a worker. */
void worker_enter(void);
void worker_leave(void);
bool worker_is_one(void);

/* The page of its counts; in a process that is not a worker, M.status. */
const struct status *worker_own(void);

#define WORKER_LATE                                                                                \
	"-j: the time was up before all executions that precede the finding were explored: "       \
	"another run may find another one"


/* The common page; in a process that is not a worker, its only page. */
struct status *worker_common(void);

#endif
