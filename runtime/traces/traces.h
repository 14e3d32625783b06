/* SPDX-License-Identifier: ISC */
/*
 * traces.h - exhaustive exploration of traces: schedules of coarse steps, up to steps that commute.
 *
 * Idea.   If threads communicate by objects and seq_cst atomics, and plain accesses never race, a
 *         model allows only sequential consistency. A *step* of a thread is a critical section, or
 *         another operation on an object or an atomic, with the plain accesses after it; two steps
 *         are dependent if they access the same location, one of them writing. The lock of a
 *         section does not count: sections of one mutex whose data do not conflict commute. So do
 *         additions whose results are not used, posts of a semaphore, and threads that begin to
 *         wait for a condition. One schedule of each trace is explored.
 * Refuse. Other programs are refused, at the first unsupported operation, or the first two accesses
 *         that may race in another schedule of the same trace: --strategy graph explores them.
 *
 * Steps: Lipton, Reduction, CACM 1975. The same partition, in graphs: Kokologiannakis, Raad,
 * Vafeiadis, Effective lock handling in stateless model checking, OOPSLA 2019.
 *
 *     struct trust t;      trust_init(&t, ...);     the graph, the cache and the program
 *     struct traces x;     traces_init(&x, &t);
 *     traces_run(&x);                               until complete, stopped, or refused
 *
 * Results are those of trust_run(): t.complete, t.over, t.answer.
 */
#ifndef TRACES_TRACES_H
#define TRACES_TRACES_H

#include "trust/trust.h"

struct traces {
	struct trust *trust;
	const char *refusal; /* why the program is refused, in words; NULL: it is not */
	u64 redundant;	     /* schedules given up, as all continuations were explored */
	/* The schedules with the same first `cut` steps are a part of the search, in which nothing
	 * depends on other parts: all threads are tried in the states before it. Parts are numbered
	 * as they come; takes(): is this one explored? 0: all is one. */
	u32 cut;
	bool (*takes)(u64 part);
	u64 parts; /* so far */
	bool cuts; /* a part has more steps */
	struct traces_priv *priv;
};

/* t: initialised. Takes some of the memory for saved graphs. */
void traces_init(struct traces *x, struct trust *t);

/* Explore it all, from the beginning. With t.fixed, ANSWER_RESTART ends it. Failures are reported
 * to program->leaf(); if that requests to continue, the program is refused. */
void traces_run(struct traces *x);

#endif
