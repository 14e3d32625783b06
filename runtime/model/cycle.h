/* SPDX-License-Identifier: ISC */
/* cycle.h - is a recorded execution sequentially consistent? If not, a cycle that proves it. */
#ifndef MODEL_CYCLE_H
#define MODEL_CYCLE_H

#include "base/arena.h"
#include "event/event.h"

enum relation { REL_PO, REL_RF, REL_CO, REL_FR };

/* The reason why two events of a thread stay in order, in models of hardware. */
enum kept {
	KEPT_NOT,
	KEPT_ORDER, /* instructions, barriers, or dependencies through others */
	KEPT_ADDRESS,
	KEPT_DATA,
	KEPT_CONTROL
};

struct edge {
	u32 from, to; /* steps */
	u32 relation; /* enum relation */
	u32 kept;     /* enum kept, of po */
};

enum verdict { SC_YES, SC_NO, SC_UNKNOWN };

#define CYCLE_MAX 32

struct cycle {
	u32 n;
	struct edge edge[CYCLE_MAX];
};

/*
 * Decide whether po, rf, co and fr of the execution e[0..n) (e[i].step == i + 1, with its commits)
 * have no cycle. Stores that are still buffered at the end count as reaching memory afterwards.
 * On SC_NO *c is a shortest cycle found. SC_UNKNOWN: the scratch memory was too small.
 */
enum verdict sc_check(const struct event *e, u32 n, struct arena *scratch, struct cycle *c);

#endif
