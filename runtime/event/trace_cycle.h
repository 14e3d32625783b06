/* SPDX-License-Identifier: ISC */
/* trace_cycle.h - the records of a replay file (event/trace.h) that say why a model forbids it. */
#ifndef EVENT_TRACE_CYCLE_H
#define EVENT_TRACE_CYCLE_H

#include "base/base.h"

enum trace_relation { RELATION_PO, RELATION_RF, RELATION_CO, RELATION_FR };
enum trace_keeping {
	KEPT_BY_NOTHING,
	KEPT_BY_ORDER,
	KEPT_BY_ADDRESS,
	KEPT_BY_DATA,
	KEPT_BY_CONTROL
};

struct trace_edge {
	u32 from, to;
	u32 relation; /* enum trace_relation */
	u32 kept;     /* enum trace_keeping: of po, models of hardware */
};

/* The changes that would forbid an execution of a model in a file; REPAIR_NONE: it is one that the
 * model forbids. */
enum trace_repair { REPAIR_NONE, REPAIR_ORDERS, REPAIR_FENCES, REPAIR_UNKNOWN };

struct trace_axiom {
	const char *name; /* "": no axiom forbids it, with the changes that were tried */
	u32 repair;	  /* enum trace_repair */
};

/* Two events on that axiom's cycle. */
struct trace_link {
	u32 from, to;	  /* 0: an initial value */
	const char *name; /* of their relation in the model; "" = it has none */
};

#endif
