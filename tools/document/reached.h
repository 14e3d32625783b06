/* SPDX-License-Identifier: ISC */
/* reached.h - the places of the program that executions have reached: --coverage. */
#ifndef DOCUMENT_REACHED_H
#define DOCUMENT_REACHED_H

#include "document/js.h"
#include "report/summary.h"

struct reached_place {
	const char *file, *function; /* function: NULL = unknown */
	int line;		     /* file = NULL: unknown place, or none */
};

/* A branch that was executed, but has never led to a place. */
struct reached_way {
	struct reached_place at, to; /* to.file = NULL: on the same line */
};

/* Seen in an execution graph. */
struct reached_pair {
	struct reached_place read, by; /* by.file = NULL: the initial value */
};

struct reached {
	unsigned lines, lines_seen;
	unsigned branches, both; /* branches that were executed; both ways */
	unsigned nmissing, nways, npairs;
	struct reached_place *missing; /* lines, by file and number */
	struct reached_way *ways;
	struct reached_pair *pairs;
	bool pairs_known; /* the search was one of graphs, and there was room for all */
};

/* A paragraph for the terminal. */
void reached_text(const struct summary *s, FILE *out);

/* Lines that are missing, joined to ranges of a function: "ring.c:40-42 (drain)". Returns the text
 * of the range that begins at missing[*i], and moves *i behind it. */
char *reached_range(const struct reached *r, unsigned *i);

/* "ring.c:29 (pop): never on to line 31", "ring.c:29 (pop) reads what ring.c:12 (push) writes" */
char *reached_way_words(const struct reached_way *w);
char *reached_pair_words(const struct reached_pair *p);

/* The extent of the search: a sentence on the meaning of missing places. */
const char *reached_meaning(const struct summary *s);

/* null: not asked for. */
json_t *reached_json(const struct reached *r);

#endif
