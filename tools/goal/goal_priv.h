/* SPDX-License-Identifier: ISC */
/* goal_priv.h - making a goal, from text (goal_read.c) or a core file (goal_core.c). */
#ifndef GOAL_GOAL_PRIV_H
#define GOAL_GOAL_PRIV_H

#include "goal/goal.h"

struct goal_reader {
	const struct functions *of;
	const char *path;
	struct goal g;
	struct goal_thread t; /* the current one */
	char *title;
	bool signal;   /* the failure is a fatal signal, */
	long receiver; /* and this is the number of the thread that received it; 0 = unknown */
	bool report;   /* of a sanitizer: the stacks after the first are of other moments */
	unsigned frames;
};

/* The next frame of the current thread, outwards; its end. */
void reader_frame(struct goal_reader *x, const struct goal_frame *f);
void reader_end_thread(struct goal_reader *x);

/* All threads have been read: the goal. Dies if it has no frame of the program; `what' names what
 * there should have been. */
struct goal reader_end(struct goal_reader *x, const char *what);

#endif
