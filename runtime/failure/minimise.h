/* SPDX-License-Identifier: ISC */
/*
 * minimise.h - the search for a simpler execution with the same finding. explore/minimise.h defines
 * "simpler" and proposes candidates, which are executed here.
 */
#ifndef FAILURE_MINIMISE_H
#define FAILURE_MINIMISE_H

#include "event/trace.h"
#include "explore/schedule.h"
#include "machine/core.h"

/* Figures of the last call of minimise_schedule() or minimise_graph(); tries 0: none. */
extern struct trace_minimised minimised;

/* An execution of the store-buffer machine that ends in f, by its choices. Returns the choices to
 * show, perhaps the same ones, and sets *n and M.fine for them. The state of the running search is
 * kept. */
const u32 *minimise_schedule(const u32 *choices, u32 *n, const struct finding *f);

/* Is it the same finding at the same place? */
bool minimise_is_same(const struct finding *a, const struct finding *b);

/* Is there time for another candidate? */
bool minimise_may_go_on(void);
/* Is this finding to be minimised (--minimise, its kind)? If so, the time starts. */
bool minimise_begin(const struct finding *f);
struct minimise;
/* Give m the memory of its schedules, which lasts until the process ends. */
void minimise_need(struct minimise *m);
/* Set `minimised` to the costs of the execution found, and of the one shown. over: there was no
 * time for all candidates. */
void minimise_tell(
	const struct schedule_cost *was, const struct schedule_cost *is, u32 tries, bool over);

/* --- minimise_graph.c ------------------------------------------------------------------------ */

struct failure;
struct plan;

/* Replace the graph of *w, in the order of p, by one with the same finding, in p's new order.
 * False: unchanged. */
bool minimise_graph(struct failure *w, struct plan *p, const struct finding *f);
/* May it be? Not while other processes learn of the program: what the candidates show of shared
 * memory is forgotten afterwards. */
void minimise_graph_allow(bool allowed);
/* Restore the explorer's graph. */
void minimise_graph_end(struct failure *w);

#endif
