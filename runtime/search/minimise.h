/* SPDX-License-Identifier: ISC */
/*
 * minimise.h - before a failing execution is shown: is there one that fails in the same way and is
 * easier to read? explore/minimise.h says what that means and proposes; here it is carried out.
 */
#ifndef SEARCH_MINIMISE_H
#define SEARCH_MINIMISE_H

#include "event/trace.h"
#include "explore/schedule.h"
#include "machine/core.h"

/* What the last call of minimise_schedule() or minimise_graph() did; tries 0: nothing. */
extern struct trace_minimised minimised;

/* An execution of the store-buffer machine that ends in f, by its choices. Returns those to show,
 * perhaps the same, and sets *n, and M.fine for them. All that is known of the running search stays
 * as it is. */
const u32 *minimise_schedule(const u32 *choices, u32 *n, const struct finding *f);

/* Does the other finding say the same of the same place? */
bool minimise_is_same(const struct finding *a, const struct finding *b);

/* Is there time for another candidate? */
bool minimise_may_go_on(void);
/* Is this to be minimised at all? Then time begins. */
bool minimise_begin(const struct finding *f);
struct minimise;
/* The memory of its scripts. */
void minimise_need(struct minimise *m);
/* What was, what is shown now. */
void minimise_tell(
	const struct schedule_cost *was, const struct schedule_cost *is, u32 tries, bool over);

/* --- minimise_graph.c ------------------------------------------------------------------------ */

struct failure;
struct plan;

/* The graph of *w, in the order of p, becomes one that fails in the same way, in p's new order; w
 * says how. False: it is what it was. */
bool minimise_graph(struct failure *w, struct plan *p, const struct finding *f);
/* The explorer's graph again. */
void minimise_graph_end(struct failure *w);

#endif
