/* SPDX-License-Identifier: ISC */
/*
 * driver.h - guides a recorded execution on store buffers along a given path: a plan of a graph
 * (buffers/plan_driver.h) or a schedule (buffers/schedule_driver.h). M.driver is NULL without one.
 *
 * The strategy has the path; the driver reports the progress of each thread to it.
 */
#ifndef MACHINE_DRIVER_H
#define MACHINE_DRIVER_H

#include "machine/machine.h"

struct driver {
	/* An event has been recorded. */
	void (*event)(const struct event *e);
	/* The running thread is about to make a data choice among n. */
	void (*question)(u32 n, enum choice_why why);
	/* It takes a step that in a graph is a choice of one; may be NULL. */
	void (*operation)(void);
	/* It has arrived at an operation on obj; may be NULL. */
	void (*sync)(const struct sync_op *op, const void *obj);
	/* An agent as described to the strategy: a thread; the k-th store of it that may commit. */
	u32 (*thread)(const struct thread *t);
	u32 (*commit)(const struct thread *t, u32 k);
};

#endif
