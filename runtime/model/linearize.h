/* SPDX-License-Identifier: ISC */
/*
 * linearize.h - an execution graph as a sequence of steps.
 *
 * Under SC, TSO and PSO a consistent graph is an execution of the store-buffer machine: the order
 * of its threads' steps and commits is a topological order of the order that the model's axioms
 * require. A graph of RA or RC11 may have none; it still has an order of po and rf, in which some
 * reads do not see the newest write.
 */
#ifndef MODEL_LINEARIZE_H
#define MODEL_LINEARIZE_H

#include "model/cycle.h"
#include "model/graph.h"
#include "model/plan.h"

/* Bytes that linearize_plan() and linearize_causal() need, besides the items. */
size_t linearize_memory(const struct graph *g);

/*
 * The steps of g on the machine of a model (SC, TSO or PSO, not necessarily g's). Marks (E_WAIT)
 * are left out; both halves of an RMW are one step, named by its read. Steps of thread `last` come
 * late, the end of the main thread at the very end. False: the machine has no such execution, and
 * if c is not NULL, *c is a cycle of the order that it preserves; its steps are events of g.
 */
bool linearize_plan(const struct graph *g, enum model_id m, u32 last, void *memory, struct plan *p,
	struct cycle *c);

/* The events of any graph, in an order of po and rf, where possible also of co and fr. */
void linearize_causal(const struct graph *g, u32 last, void *memory, struct plan *p);

#endif
