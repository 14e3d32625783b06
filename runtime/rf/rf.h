/* SPDX-License-Identifier: ISC */
/*
 * rf.h - exhaustive exploration by what reads read from: RF-SMC.
 *
 * Every way in which the reads of a program can read from its writes on the SC, TSO or PSO machine
 * is explored by one execution; the order in which writes without readers reach memory makes no
 * difference. P. Bui, K. Chatterjee, T. Gautam, A. Pavlogiannis, V. Toman, "The Reads-From
 * Equivalence for the TSO and PSO Memory Models", OOPSLA 2021, section 5. What
 * differs from there is said in rf.c.
 *
 *     struct trust t;  trust_init(&t, ...);     the graph, the cache and the program
 *     struct rf x;     rf_init(&x, &t);
 *     rf_run(&x);                               until seen all, or program->leaf() says stop
 *
 * Results are where trust_run() would leave them: t.complete, t.blocked, t.failing, t.over,
 * t.bounded, t.answer. An execution is reported to program->leaf() as a graph whose co is that of
 * one schedule.
 */
#ifndef RF_RF_H
#define RF_RF_H

#include "trust/trust.h"

struct rf {
	struct trust *trust;
	bool check; /* BUG_ON a class that is explored twice (as far as there is memory for it) */
	u64 proposals; /* other sources that were considered, */
	u64 asked;     /* that had not been before: so many questions to verify.h, */
	u64 refused;   /* and so many answers that it is not possible */
	u64 undecided; /* questions that took too much time or memory: then t.bounded */
	struct rf_priv *priv;
};

/* t: initialised, for SC, TSO or PSO. Takes half of what t has for saved graphs. */
void rf_init(struct rf *x, struct trust *t);

/* Explore it all, from the beginning. With t.fixed, ANSWER_RESTART ends it. */
void rf_run(struct rf *x);

#endif
