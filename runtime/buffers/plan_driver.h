/* SPDX-License-Identifier: ISC */
/*
 * plan_driver.h - the program on the store-buffer machine, guided along an execution graph.
 *
 * The strategy (explore/plan_strategy.h) has the plan; here the native threads' accesses and
 * operations are matched with the events of the graph, which is their progress. Only while
 * recording: then everything passes record_event().
 */
#ifndef BUFFERS_PLAN_DRIVER_H
#define BUFFERS_PLAN_DRIVER_H

#include "machine/core.h"
#include "explore/plan_strategy.h"

/* Guide the next execution along a plan of g for M.model; M.explore is its strategy. False: the
 * graph is too large. */
bool plan_driver_begin(const struct graph *g, const struct plan *p, u32 last);
/* The execution is over; false: it deviated from the plan. */
bool plan_driver_end(void);
/* Did the machine empty a buffer where the graph does not, for code that is not instrumented or a
 * large copy? Then its schedule is another one. */
bool plan_driver_early(void);

#endif
