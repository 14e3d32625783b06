/* SPDX-License-Identifier: ISC */
/* graph_finding.h - the findings of a search of graphs: each is confirmed and recorded once. */
#ifndef SEARCH_GRAPH_GRAPH_FINDING_H
#define SEARCH_GRAPH_GRAPH_FINDING_H

#include "failure/failure.h"
#include "failure/verdict.h"

/* Findings with the same key are one. */
struct finding_key {
	struct finding finding;
	u32 site[2]; /* of two events: their places, the lower one first; else 0 */
};

/* A search begins. False: not enough memory. */
bool graph_finding_begin(void);

/* Add the finding to the status page, if it is new. The caller holds the lock: share_enter(). */
enum search_verdict graph_finding_add(const struct failure *w, const struct finding_key *k);

/* Another model than the explored one has this finding. */
void graph_finding_mark(const struct failure *w, const struct finding_key *k);

/* Has the program not repeated it? */
bool graph_finding_is_doubted(const struct finding_key *k);

/* At the end: put the findings into the order in which one process would find them, and drop those
 * that it would not find. */
void graph_finding_order(void);

#endif
