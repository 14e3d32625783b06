/* SPDX-License-Identifier: ISC */
/* history_priv.h - shared by the files of history.h: the last failing history, and happens-before
 * of a recorded execution. */
#ifndef HISTORY_HISTORY_PRIV_H
#define HISTORY_HISTORY_PRIV_H

#include "detect/lin.h"

/* An operation of it: the nth, 0 first, of the thread in this slot. */
struct failed_op {
	u16 slot;
	u32 nth;
	u32 thread;	/* its number */
	u32 begin, end; /* recorded steps; 0 = none */
};

struct history_failed {
	struct lin_history h;
	struct lin_order order; /* the longest order that explains its results */
	bool graph;		/* `before` is happens-before, else the order of steps */
	const void *object;
	struct failed_op op[LIN_OPS];
};

extern struct history_failed history_failed;

/* history_order.c: clocks for the execution that has been recorded; false: it is too long. Then:
 * does step a happen before step b, or is it b? */
bool history_order(void);
bool history_ordered(u32 a, u32 b);

#endif
