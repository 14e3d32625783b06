/* SPDX-License-Identifier: ISC */
/*
 * rf.h - exhaustive exploration of reads-from functions: RF-SMC.
 *
 * Every way in which the reads of a program can read from its writes on the SC, TSO or PSO machine
 * is explored by one execution; the order in which writes without readers reach memory makes no
 * difference. P. Bui, K. Chatterjee, T. Gautam, A. Pavlogiannis, V. Toman, "The Reads-From
 * Equivalence for the TSO and PSO Memory Models", OOPSLA 2021, section 5. rf.c lists the
 * differences.
 *
 *     struct trust t;  trust_init(&t, ...);     the graph, the cache and the program
 *     struct rf x;     rf_init(&x, &t);
 *     rf_run(&x);                               until complete, or stopped by program->leaf()
 *
 * Results are those of trust_run(): t.complete, t.blocked, t.failing, t.over,
 * t.bounded, t.answer. An execution is reported to program->leaf() as a graph whose co is that of
 * one schedule.
 */
#ifndef RF_RF_H
#define RF_RF_H

#include "trust/trust.h"

struct rf {
	struct trust *trust;
	bool check; /* BUG_ON a class explored twice (as far as memory permits) */
	u64 proposals; /* other sources considered, */
	u64 asked;     /* not considered before: questions to verify.h, */
	u64 refused;   /* and its negative answers */
	u64 undecided; /* questions that took too much time or memory: then t.bounded */
	struct rf_priv *priv;
};

/* t: initialised, for SC, TSO or PSO. Takes half of its memory for saved graphs. */
void rf_init(struct rf *x, struct trust *t);

/* Explore it all, from the beginning. With t.fixed, ANSWER_RESTART ends it. */
void rf_run(struct rf *x);

#endif
