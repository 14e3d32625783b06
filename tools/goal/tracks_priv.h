/* SPDX-License-Identifier: ISC */
/* tracks_priv.h - between tracks.c, tracks_order.c and tracks_show.c. */
#ifndef GOAL_TRACKS_PRIV_H
#define GOAL_TRACKS_PRIV_H

#include "goal/tracks.h"

struct recorded_line {
	const char *file; /* its last part */
	int number;
	const char *function;
	/* The program's function that begins last before the line; NULL: none in that file. */
	const char *is_in;
	int begins;
};

struct recorded {
	const struct flight *flight;
	struct tracks *table;
	u32 nlines;
	struct recorded_line *line; /* [0] is none */
	u32 thread[TRACKS]; /* of the flight */
	u32 step[TRACKS][TRACK_EVENTS]; /* likewise */
};

/* Its number; 0: no such line. */
u32 recorded_line_number(const struct recorded *r, const char *file, int number);

enum track_kind recorded_kind(enum flight_kind kind);

/* Times and order of the events in r->table, which has their places. */
void recorded_order(struct recorded *r);

#endif
