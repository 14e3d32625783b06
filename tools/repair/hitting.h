/* SPDX-License-Identifier: ISC */
/*
 * hitting.h - minimum-cost hitting sets: of options with costs, the cheapest choice with one of
 * each clause.
 *
 * Solved by Z3 (weighted MaxSAT), exactly. libz3 is loaded on first use: most commands of the tool
 * do not need it.
 */
#ifndef REPAIR_HITTING_H
#define REPAIR_HITTING_H

#include "base/base.h"

struct hitting;

struct hitting *hitting_new(void);

/*
 * Add an option; the first is 0. Among choices of equal cost, the one with the smallest sum of
 * ranks (below 256) wins, so the answer is deterministic.
 */
u32 hitting_option(struct hitting *h, u32 cost, u32 rank);

/* One of these n options has to be chosen. n = 0: unsatisfiable. */
void hitting_clause(struct hitting *h, const u32 *option, u32 n);

/* a implies b. */
void hitting_implies(struct hitting *h, u32 a, u32 b);

/* Not all of these n at once. */
void hitting_forbid(struct hitting *h, const u32 *option, u32 n);

/* chosen[option]: a choice of minimum cost. False: there is none. */
bool hitting_solve(struct hitting *h, bool *chosen, u64 *cost);

/* The same by a greedy choice, fast but not cheapest: the option in most clauses per cost first. */
bool hitting_greedy(const struct hitting *h, bool *chosen, u64 *cost);

#endif
