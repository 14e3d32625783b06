/* SPDX-License-Identifier: ISC */
/*
 * failure.h - from a failing execution graph to a replay file.
 *
 * Under SC, TSO and PSO the graph becomes a schedule, which the store-buffer machine executes
 * twice: guided by the graph, then by its own choices. The file is like that of any other strategy.
 * Under RA and RC11, and for data races, which that machine does not detect, the graph itself is
 * recorded.
 */
#ifndef FAILURE_FAILURE_H
#define FAILURE_FAILURE_H

#include "detect/stuck.h"
#include "event/status.h"
#include "event/trace.h"
#include "trust/trust.h"
#include "model/linearize.h"

struct failure {
	struct trust *trust;
	enum leaf how; /* STUCK, FAIL, RACE, HEAP; COMPLETE: see f->finding */
	u32 thread;    /* that failed; RACE, HEAP: of the last event */
	u32 other;     /* RACE, HEAP: the event that it races with */
};

/* Do two events fail together? */
static inline bool failure_is_pair(const struct failure *w)
{
	return w->how == LEAF_RACE || w->how == LEAF_HEAP;
}

/* Is it a single event, reported like a pair: the use of a value that was never stored? */
static inline bool failure_is_value(const struct failure *w)
{
	return w->how == LEAF_HEAP && w->trust->graph.event[w->other].thread == w->thread &&
		w->other == w->trust->graph.thread[w->thread].last;
}

enum recorded {
	RECORDED,
	RECORDED_NOT,	  /* the failure did not repeat */
	RECORDED_NO_TIME, /* the exploration ended before it could repeat */
};

/* Record the failure of f->finding, write its replay file, and publish it (verdict.h); f has its
 * kind. There is a file only of a failure that has been recorded. *why: the reason of
 * RECORDED_NOT. */
enum recorded failure_record(const struct failure *w, struct status_finding *f, const char **why);

/*
 * As a graph, along the plan p of its events, without buffers (failure_graph.c). sc: p is a
 * schedule of the SC machine; else c is a cycle that excludes one. False: the program diverged.
 */
bool failure_record_graph(const struct failure *w, const struct plan *p, const struct cycle *c,
	bool sc, struct status_finding *f);

/* Memory for a plan of g, and (*memory) for linearize_plan() to make it; the same at each call. */
struct plan *failure_plan(const struct graph *g, void **memory);

/* Write the blocked operations of a graph without enabled threads to w[GRAPH_THREADS]
 * (failure_waits.c). Numbers of threads are slots. Returns their number; *timed: one of them is a
 * timed wait. */
u32 failure_waits(const struct trust *x, struct wait *w, bool *timed);

#endif
