/* SPDX-License-Identifier: ISC */
/*
 * schedule_driver.h - the program on the store-buffer machine, led by a script
 * (explore/schedule.h): minimising.
 *
 * The strategy knows how far each thread gets; this gives it the recorded events and the thread
 * that asks. Only while recording.
 */
#ifndef MACHINE_SCHEDULE_DRIVER_H
#define MACHINE_SCHEDULE_DRIVER_H

#include "explore/schedule.h"
#include "machine/core.h"

struct schedule_driver {
	bool on;
	struct schedule_run run;
	u32 *number; /* [RECORD_EVENTS + 1] of an event in its thread, by step */
};
extern struct schedule_driver schedule_driver;

/* Hooks, when `on`: an event has been recorded; data are chosen; as options: thread t, its k-th
 * store that may commit. */
void schedule_driver_event(const struct event *e);
void schedule_driver_question(void);
u32 schedule_driver_thread(const struct thread *t);
u32 schedule_driver_commit(const struct thread *t, u32 k);

#endif
