/* SPDX-License-Identifier: ISC */
/*
 * tracks.h - executions that follow the order of a flight record: heddle reproduce --flight.
 *
 * A decorator of the engine notes where each thread arrives, and what it has done (event/track.h).
 * Strategy goal holds threads whose turn has not come, and in every second execution also those
 * that would read another value than the recorded one, and stores that would overwrite such a
 * value. Each execution has a cut of its own.
 */
#ifndef MACHINE_OBSERVER_TRACKS_H
#define MACHINE_OBSERVER_TRACKS_H

#include "base/option.h"

struct thread;

/* Before a search: the table of option track-fd, if there is one. */
void tracks_begin(const struct options *o);

/* From now on, or no longer, executions are followed. Without a table, without effect. */
void tracks_follow(bool on);

/* Is an execution followed, and should this thread wait for others? */
bool tracks_holds(const struct thread *t);

/* Likewise a store of a thread that is about to reach memory. */
bool tracks_holds_store(u64 addr, u32 size);

/* Note how far the last execution has followed the order; is that of the current one no worse?
 * true: none is followed. */
void tracks_note(void);
bool tracks_are_kept(void);

#endif
