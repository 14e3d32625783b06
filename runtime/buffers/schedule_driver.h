/* SPDX-License-Identifier: ISC */
/*
 * schedule_driver.h - the program on store buffers along a schedule (explore/schedule.h), for
 * minimising.
 *
 * The strategy has the end of each thread's part; this passes it the recorded events and the thread
 * of a choice. Only while recording.
 */
#ifndef BUFFERS_SCHEDULE_DRIVER_H
#define BUFFERS_SCHEDULE_DRIVER_H

#include "explore/schedule.h"
#include "machine/core.h"

struct schedule_driver {
	struct schedule_run run;
	u32 *number; /* [RECORD_EVENTS + 1] of an event in its thread, by step */
};
extern struct schedule_driver schedule_driver;

/* Guide executions by schedule_driver.run, on or off. */
void schedule_driver_set(bool on);

#endif
