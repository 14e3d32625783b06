/* SPDX-License-Identifier: ISC */
/*
 * scripted.h - the program on the store-buffer machine, led by a script (explore/script.h):
 * minimising.
 *
 * The strategy knows how far each thread gets; this gives it the recorded events and the thread
 * that asks. Only while recording.
 */
#ifndef MACHINE_SCRIPTED_H
#define MACHINE_SCRIPTED_H

#include "explore/script.h"
#include "machine/core.h"

struct scripted {
	bool on;
	struct script_run run;
	u32 *number; /* [RECORD_EVENTS + 1] of an event in its thread, by step */
};
extern struct scripted scripted;

/* Hooks, when `on`: an event has been recorded; data are chosen; as options: thread t, its k-th
 * store that may commit. */
void scripted_event(const struct event *e);
void scripted_question(void);
u32 scripted_thread(const struct thread *t);
u32 scripted_commit(const struct thread *t, u32 k);

#endif
