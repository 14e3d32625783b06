/* SPDX-License-Identifier: ISC */
/*
 * run.h - a run of a graph program: its threads, operation by operation, as far as the sources that
 * were chosen lead.
 */
#ifndef AGREE_RUN_H
#define AGREE_RUN_H

#include "axioms.h"
#include "executions.h"

enum thread_state { RUNNING, ENDED, REFUSED, FAILED, SPINNING, AT_LOCK, UNBORN };

/* Values of `source` and `rare`. */
#define UNCHOSEN 254
#define WAITS	 253 /* the lock is not taken: the thread waits */
#define RARE	 200 /* + 0, 1: whether a weak CAS fails spuriously */

struct run {
	uint8_t source[GP_SLOTS + 1][GP_PIECES]; /* by slot */
	uint8_t rare[GP_SLOTS + 1];
	uint8_t wrote[GP_SLOTS + 1];	     /* 1 + index of its write, the first of them */
	bool taken[GP_SLOTS + 1][GP_PIECES]; /* an RMW has read from it and written */
	bool init_taken[GP_PLACES];
	uint8_t reg[GP_THREADS][GP_OPS];
	uint8_t pc[GP_THREADS], sub[GP_THREADS], state[GP_THREADS];
	uint8_t met[GP_THREADS]; /* barriers */
	int rares, n;
	struct ax_event e[EVENTS_MAX]; /* as executed */
};

/* The result of a step: the thread goes on, or the run lacks a choice, or waits. */
enum step {
	GONE_ON,
	CHOOSE_SOURCE,
	CHOOSE_RARE,
	CHOOSE_VALUE,
	WAIT_FOR_SOURCE,
	WAIT_FOR_THREADS,
	IMPOSSIBLE
};

/* An empty run; the steps that follow are of this program. */
void run_begin(struct run *r, const struct gprogram *program);

/* The next step of a running thread. */
enum step run_step(struct run *r, int t);

/* The place that the thread's operation reads next: of several, the first whose source has not been
 * chosen. */
int run_read_place(const struct run *r, int t, const struct gp_op *o);

#endif
