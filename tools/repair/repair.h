/* SPDX-License-Identifier: ISC */
/*
 * repair.h - the cheapest fences and orders with which a program has no failing execution.
 *
 * Guided by counter-examples: an execution that fails under a proposed repair gives clauses
 * (failure.h), a minimum hitting set of all clauses is the next proposal (hitting.h); it is checked
 * against all known failing executions before the program is explored again with it, without
 * recompiling (option `orders'). When an exploration ends complete and clean, nothing cheaper
 * exists among the options: each clause holds for every repair. The duality of hitting sets and
 * counter-examples is that of implicit hitting sets (Reiter 1987; Chandrasekaran, Karp et al.,
 * SODA 2011).
 */
#ifndef REPAIR_REPAIR_H
#define REPAIR_REPAIR_H

#include "job/job.h"
#include "repair/failure.h"

enum repair_result {
	REPAIR_CLEAN,	   /* nothing fails unchanged */
	REPAIR_FOUND,
	REPAIR_SC,	   /* it fails under sc: see `shown' */
	REPAIR_IMPOSSIBLE, /* `shown' remains with every permitted change */
	REPAIR_CUT,	   /* stopped before any result */
	REPAIR_FAILS,	   /* relax: it fails unchanged: see `shown' */
};

struct repair_choice {
	bool *chosen; /* [noptions] */
	u32 noptions; /* that there were */
	u64 cost;
	struct summary summary; /* of the exploration that found nothing */
};

struct seen {
	struct failure *failure;
	const struct report *report;
	const char *message;
};

struct repair {
	struct job *job; /* the request */
	bool all, fast; /* of points.relax, too */
	u32 limit;	 /* of repairs, with all */

	enum repair_result result;
	bool sc_complete; /* the first exploration: under sc; relax: of the program as it is */
	struct summary first;
	struct repair_choice *choice;
	u32 nchoices;
	bool more; /* there are others that cost the same, beyond the limit */
	struct points points;
	struct seen *seen;
	u32 nseen, nclauses, ninexact;
	u32 explorations;
	u64 executions;
	double seconds;
	struct job *last; /* the last exploration */
	const struct report *shown;
	const char *message; /* of the failure */
};

/* Search for repairs. costs and model of r->points, all and fast, and the job are set. */
void repair_search(struct repair *r);

/* Text: the table and the diff. patch: a file for the diff, NULL: with the text. */
void advice_text(const struct repair *r, FILE *out, const char *patch);
void advice_json(const struct repair *r, FILE *out);

/* The same of points.relax. */
void relaxation_text(const struct repair *r, FILE *out, const char *patch);
void relaxation_json(const struct repair *r, FILE *out);

#endif
