/* SPDX-License-Identifier: ISC */
/* share_priv.h - shared by workers (share.c), their parent (share_parent.c), the process that
 * explores alone (share_explore.c), and checkpoints. */
#ifndef SEARCH_JOBS_SHARE_PRIV_H
#define SEARCH_JOBS_SHARE_PRIV_H

#include "search/jobs/share.h"
#include "search/jobs/succession.h"
#include "trust/estimate.h"
#include "trust/image/checkpoint_file.h"

#define OFFER_SIZE ((size_t)8 << 20)
#define AREA_SIZE  ((size_t)256 << 20) /* of a worker's frontier */
#define GIVEN_MAX  TINY(2, 512)
#define CHECKPOINT 60000000000 /* nanoseconds between checkpoints */

enum share_task {
	TASK_NONE,
	TASK_INHERITED, /* the parent's state at the fork */
	TASK_FILE,	/* image `area` of the resumed file */
	TASK_IMAGE,	/* in the worker's memory, half `area` */
};

/* A worker's results, and its current task, which is explored again if the worker dies. */
struct record_of {
	u64 executions, blocked, failing, steps;
	u32 task, area;
	size_t size;
	u64 ticket; /* of the offer that it came from, until it is the worker's own */
	u64 place;  /* the task's ticket in the succession */
	struct counted begun; /* counted before it, or before its last finding */
	u32 bounds, bounded;
	volatile u32 ngiven; /* levels given away since */
	u64 given[GIVEN_MAX];
};

struct worker {
	volatile u32 current; /* record */
	struct record_of record[2];
	i32 pid;
	u32 deaths;
	volatile bool aside; /* it does not run the program, nor learn of it */
	volatile u32 problem; /* enum execute_stop */
	char words[EXECUTE_WORDS];
	volatile u64 left; /* executions, estimated when there were `done` */
	volatile u64 done;
	volatile bool guessed;
	struct status *status;
	u8 *area; /* two of them */
};

struct share {
	struct exchange x;
	volatile u32 findings_lock;
	u32 lanes;
	volatile u32 alone; /* the worker, from 1 on, for which the others stand aside; 0: none */
	struct succession order;
	struct polls polls;
	struct awaits awaits;
	struct worker worker[JOBS_MAX];
};

/* An exploration, in the process that begins it. */
struct share_run {
	struct checkpoint_totals before; /* of earlier runs, and of this one before its workers */
	struct estimate estimate;
	enum execute_stop stopped;
	char words[EXECUTE_WORDS];
};

extern struct share_run share_run;
extern struct share *share; /* NULL: one process */
extern struct trust *share_trust;

/* --- share.c --------------------------------------------------------------------------------- */

_Noreturn void share_work(u32 id);
bool share_is_worker(void);
static inline struct record_of *share_record(struct worker *w)
{
	return &w->record[w->current];
}

static inline volatile u32 *share_state(const struct worker *w)
{
	return &share->x.state[w - share->worker];
}

/* --- share_explore.c ------------------------------------------------------------------------- */

bool share_alone_leaf(void);
struct checkpoint_totals share_totals(void);

/* --- share_parent.c -------------------------------------------------------------------------- */

/* SHARE_SHORT: all results are void, or the time without workers is over. SHARE_ALONE: no worker
 * could be started, and x is unchanged. */
enum share_end { SHARE_ALL, SHARE_STOPPED, SHARE_SHORT, SHARE_ALONE };

/* Is there memory for n workers? */
bool share_has_room(u32 n);

/* Let workers explore the rest of x. */
enum share_end share_run_workers(struct trust *x);

/* No checkpoint: of what follows a finding that ends the search, some has been explored, and some
 * has not. */
void share_miss_checkpoint(void);

/* --- share_order.c --------------------------------------------------------------------------- */

void share_order_begin(void);
bool share_order_is_ended(void);
void share_order_count(void);

/* --- share_checkpoint.c ---------------------------------------------------------------------- */

/* Images that no process has begun with: of the resumed file, or of the shard. */
u32 share_images(void);
const void *share_image(u32 i, size_t *size);

/* Write a checkpoint: of this process, at a leaf; of the workers, which are paused or gone. */
void share_checkpoint_alone(const struct checkpoint_totals *totals, bool reported);

/* Of a ticket, at a leaf that was reported: give levels away as the status page says, if there are
 * any, and wait until the tool has taken them. */
void share_checkpoint_give(void);
void share_checkpoint_workers(const struct checkpoint_totals *before);

/* --- checkpoint.c ---------------------------------------------------------------------------- */

/* Read the file: false after a note. Images are taken by number. */
bool checkpoint_read(const char *path, struct places *places, struct checkpoint_totals *totals);
u32 checkpoint_images(void);
const void *checkpoint_image(u32 i, size_t *size);

/* Write a checkpoint; false after a note. */
void checkpoint_begin(const char *path, const struct checkpoint_totals *totals);
void checkpoint_add(const void *image, size_t size);
bool checkpoint_end(void);

/* The part of this search that a checkpoint cannot hold; NULL: none. */
const char *checkpoint_misses(void);

#endif
