/* SPDX-License-Identifier: ISC */
/*
 * drawing.h - the execution graph of a finding, ready to be drawn: nodes in columns, one a thread,
 * and edges. dot.c and svg.c read nothing else.
 */
#ifndef DOCUMENT_DRAWING_H
#define DOCUMENT_DRAWING_H

#include "report/report.h"

struct drawn_node {
	u32 step;
	unsigned column, level; /* level: no node is above its predecessors by po and rf */
	char *what;   /* "store x = 1" */
	char *where;  /* "sb.c:30" */
	char *source; /* the line of the program; "" = not known */
	bool key;     /* on the cycle */
	bool failed;  /* where it fails */
	bool waits; /* not an event: the wait of a thread at the end; step: beyond the last */
};

enum drawn_relation { DRAWN_PO, DRAWN_RF, DRAWN_CO, DRAWN_FR, DRAWN_SW, DRAWN_HB, DRAWN_WAIT };
#define DRAWN_RELATIONS (DRAWN_WAIT + 1)

struct drawn_edge {
	unsigned from, to; /* nodes */
	/* SW: rf that synchronises; HB: creation, join, locks; WAIT: to the cause of a wait */
	enum drawn_relation relation;
	bool cycle;
};

struct drawn_column {
	u32 thread;
	char *title; /* "T1 writer_x" */
};

struct drawing {
	const char *title; /* the finding in one line */
	const char *subject; /* its program, model and qualities */
	const struct report *report;
	struct drawn_column *columns;
	struct drawn_node *nodes; /* in the order of steps */
	struct drawn_edge *edges;
	unsigned ncolumns, nnodes, nedges, nlevels;
	unsigned omitted; /* events that are not drawn */
};

/* all: every event, else those that others can see, and of a long execution those of the
 * report. */
struct drawing *drawing_make(struct report *r, bool all);

const char *drawn_relation_name(enum drawn_relation r);
/* Its meaning, for readers new to the name. */
const char *drawn_relation_words(enum drawn_relation r);
/* Its colour, #rrggbb. */
const char *drawn_colour(const struct drawn_edge *e);

void drawing_dot(const struct drawing *d, FILE *out);
void drawing_svg(const struct drawing *d, FILE *out);

#endif
