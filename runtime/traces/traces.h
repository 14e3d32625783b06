/* SPDX-License-Identifier: ISC */
/*
 * traces.h - exhaustive exploration of traces: schedules of coarse steps, up to steps that commute.
 *
 * Idea.   For programs whose threads communicate by objects and seq_cst atomics, and whose plain
 *         accesses never race, sequential consistency is all that a model allows. A *step* of a
 *         thread is a critical section, or another operation on an object or an atomic, with the
 *         plain accesses behind it; two steps are dependent if they access the same location, one
 *         of them writing. The lock of a section is no such location: sections of one mutex whose
 *         data do not conflict commute. One schedule of each trace is explored.
 * Refuse. Other programs are refused, at the first operation that is not understood, or the first
 *         two accesses that may race in another schedule of the same trace: --strategy graph
 *         explores them.
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
	const char *refusal; /* why the program is not one of these, in words; NULL: it is */
	u64 redundant;	     /* schedules that were given up, as all that could follow was known */
	struct traces_priv *priv;
};

/* t: initialised. Takes some of the memory for saved graphs. */
void traces_init(struct traces *x, struct trust *t);

/* Explore it all, from the beginning. With t.fixed, ANSWER_RESTART ends it. Failures are reported
 * to program->leaf(); if that wants to go on, the program is refused. */
void traces_run(struct traces *x);

#endif
