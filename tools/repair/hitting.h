/* SPDX-License-Identifier: ISC */
/*
 * hitting.h - minimum-cost hitting sets: of options with costs, the cheapest choice with one of
 * each clause.
 *
 * Solved by Z3 (weighted MaxSAT), exactly. libz3 is loaded when the first set is wanted: most
 * commands of the tool want none.
 */
#ifndef REPAIR_HITTING_H
#define REPAIR_HITTING_H

#include "base/base.h"

struct hitting;

struct hitting *hitting_new(void);

/*
 * One more option; the first is 0. Of choices that cost the same, one with a smaller sum of ranks
 * (below 256) is taken, so that the answer does not depend on the solver's mood.
 */
u32 hitting_option(struct hitting *h, u32 cost, u32 rank);

/* One of these n options has to be chosen. None: there is no choice any more. */
void hitting_clause(struct hitting *h, const u32 *option, u32 n);

/* Who chooses a chooses b, too. */
void hitting_implies(struct hitting *h, u32 a, u32 b);

/* Not all of these n at once. */
void hitting_forbid(struct hitting *h, const u32 *option, u32 n);

/* chosen[option]: a choice of minimum cost. False: there is none. */
bool hitting_solve(struct hitting *h, bool *chosen, u64 *cost);

/* The same fast, and not the cheapest: what most clauses per cost want, until all have what they
 * want. */
bool hitting_greedy(const struct hitting *h, bool *chosen, u64 *cost);

#endif
