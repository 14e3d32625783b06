/* SPDX-License-Identifier: ISC */
/*
 * linearize.h - an execution graph as a sequence of steps.
 *
 * Under SC, TSO and PSO a consistent graph is what some schedule of the store-buffer machine does:
 * the order in which threads take their steps and stores leave their buffers is a topological order
 * of what the model's axioms say is ordered. A graph of RA or RC11 may have none; it still has an
 * order of po and rf, in which some reads see less than what has been written.
 */
#ifndef MODEL_LINEARIZE_H
#define MODEL_LINEARIZE_H

#include "model/cycle.h"
#include "model/graph.h"
#include "model/plan.h"

/* Bytes that linearize_plan() and linearize_causal() need, besides the items. */
size_t linearize_memory(const struct graph *g);

/*
 * The steps of g on the machine of a model (SC, TSO or PSO, not necessarily g's). An event that
 * stands for a failed look (E_WAIT) is no step; both halves of an RMW are one, named by its read.
 * What thread `last` does comes late, the end of the main thread at the very end. False: that
 * machine cannot do it, and if c is not NULL, *c is a cycle of what it keeps in order; its steps
 * are events of g.
 */
bool linearize_plan(const struct graph *g, enum model_id m, u32 last, void *memory, struct plan *p,
	struct cycle *c);

/* The events of any graph in an order of po and rf, where possible of co and fr, too. */
void linearize_causal(const struct graph *g, u32 last, void *memory, struct plan *p);

#endif
