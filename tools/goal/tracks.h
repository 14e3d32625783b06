/* SPDX-License-Identifier: ISC */
/*
 * tracks.h - the order in a flight record, for a search that follows it (event/track.h), and what
 * came of it.
 *
 * The events of a record are ordered by their times: each was made between the time before it and
 * the time after it in its thread; and calls that have taken the same lock or semaphore by the
 * times of their returns.
 */
#ifndef GOAL_TRACKS_H
#define GOAL_TRACKS_H

#include <stdio.h>

#include "event/track.h"
#include "recorder/flight.h"
#include "report/report.h"

struct recorded;

/* The events of the record in code of the program; sets the option by which the runtime finds
 * them. NULL: there are none. *lost: on events in its files that it has no code for, a line; NULL:
 * there are none. */
struct recorded *recorded_open(const struct flight *f, const char *program, struct options *o,
	const char **lost);

/* A line on the execution of a report: how it follows the order. */
void recorded_show_kept(const struct recorded *r, const struct report *of, FILE *out);

/* A paragraph on the execution that has followed most events: how many, and the next event of each
 * thread. */
void recorded_show_nearest(const struct recorded *r, FILE *out);

#endif
