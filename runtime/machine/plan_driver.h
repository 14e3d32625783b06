/* SPDX-License-Identifier: ISC */
/*
 * plan_driver.h - the program on the store-buffer machine, led along an execution graph.
 *
 * The strategy (explore/plan_strategy.h) knows the way; here the native threads' accesses and
 * operations are matched with the events of the graph, so that it knows how far each has come. Only
 * while recording: then everything passes record_event().
 */
#ifndef MACHINE_PLAN_DRIVER_H
#define MACHINE_PLAN_DRIVER_H

#include "machine/core.h"
#include "explore/plan_strategy.h"

/* Set while an execution is led: the hooks below are called then. */
extern bool plan_driver_on;

/* Lead the next execution, along a plan of g for M.model; M.explore is the strategy to come.
 * False: the graph is too large. */
bool plan_driver_begin(const struct graph *g, const struct plan *p, u32 last);
/* The execution is over; false: it did not go as planned. */
bool plan_driver_end(void);

/* An event has been recorded; the running thread has arrived at an operation on obj. */
void plan_driver_event(const struct event *e);
void plan_driver_sync(const struct sync_op *op, const void *obj);

/* The running thread is about to be asked for a number below n. */
void plan_driver_question(u32 n, enum choice_why why);

/* Who is an option, as the strategy wants it: a thread, or the k-th store of it that may go. */
u32 plan_driver_thread(const struct thread *t);
u32 plan_driver_commit(const struct thread *t, u32 k);

#endif
