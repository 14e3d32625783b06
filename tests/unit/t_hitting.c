/* SPDX-License-Identifier: ISC */
/* t_hitting.c - minimum-cost hitting sets against all subsets. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/prng.h"
#include "repair/hitting.h"

#define OPTIONS 9
#define CLAUSES 12

struct random_set {
	u32 cost[OPTIONS], rank[OPTIONS];
	u32 clause[CLAUSES]; /* sets of options */
	u32 n;
};

/* Least cost and ranks of a choice that hits the first n clauses and contains no forbidden
 * set. */
static bool least(const struct random_set *s, const u32 *forbidden, u32 nforbidden, u32 *best)
{
	u64 least_cost = UINT64_MAX;

	for (u32 set = 0; set < 1u << OPTIONS; set++) {
		u64 cost = 0;
		bool good = true;

		for (u32 i = 0; i < s->n; i++)
			good &= (set & s->clause[i]) != 0;
		for (u32 i = 0; i < nforbidden; i++)
			good &= (set & forbidden[i]) != forbidden[i];
		for (u32 i = 0; i < OPTIONS; i++)
			cost += set >> i & 1 ? s->cost[i] * 65536ull + s->rank[i] : 0;
		if (!good || cost >= least_cost)
			continue;
		least_cost = cost;
		*best = set;
	}
	return least_cost < UINT64_MAX;
}

static u64 cost_of(const struct random_set *s, u32 set)
{
	u64 cost = 0;

	for (u32 i = 0; i < OPTIONS; i++)
		cost += set >> i & 1 ? s->cost[i] : 0;
	return cost;
}

static u32 elements(u32 set, u32 *to)
{
	u32 n = 0;

	for (u32 i = 0; i < OPTIONS; i++)
		if (set >> i & 1)
			to[n++] = i;
	return n;
}

/* After each clause, and then with one solution after the other forbidden. */
static void one_set(struct prng *p)
{
	struct random_set s = {.n = 0};
	struct hitting *h = hitting_new();
	u32 forbidden[5], list[OPTIONS], best = 0, n;
	bool chosen[OPTIONS];
	u64 cost;

	for (u32 i = 0; i < OPTIONS; i++) {
		s.cost[i] = (u32)prng_below(p, 4);
		s.rank[i] = 1u << i % 8;
		CU_ASSERT_EQUAL(hitting_option(h, s.cost[i], s.rank[i]), i);
	}
	while (s.n < CLAUSES) {
		s.clause[s.n++] = (u32)(prng_next(p) & prng_next(p)) & ((1u << OPTIONS) - 1);
		if (!s.clause[s.n - 1])
			s.n--;
		else
			hitting_clause(h, list, elements(s.clause[s.n - 1], list));
		CU_ASSERT(least(&s, NULL, 0, &best));
		CU_ASSERT(hitting_solve(h, chosen, &cost));
		CU_ASSERT_EQUAL(cost, cost_of(&s, best));
		CU_ASSERT(hitting_greedy(h, chosen, &cost));
		CU_ASSERT(cost >= cost_of(&s, best));
	}
	for (n = 0; n < array_size(forbidden); n++) {
		bool some = least(&s, forbidden, n, &best);

		CU_ASSERT_EQUAL(hitting_solve(h, chosen, &cost), some);
		if (!some || !best)
			break;
		CU_ASSERT_EQUAL(cost, cost_of(&s, best));
		forbidden[n] = best;
		hitting_forbid(h, list, elements(best, list));
	}
}

static void random_sets(void)
{
	struct prng p;

	prng_seed(&p, 7);
	for (unsigned i = 0; i < unit_count(6); i++)
		one_set(&p);
}

/* No clause: nothing is chosen. A clause without options: there is no choice. */
static void ends(void)
{
	struct hitting *h = hitting_new();
	bool chosen[2];
	u64 cost;

	hitting_option(h, 1, 0);
	hitting_option(h, 0, 0);
	CU_ASSERT(hitting_solve(h, chosen, &cost));
	CU_ASSERT(!chosen[0] && cost == 0);
	hitting_clause(h, NULL, 0);
	CU_ASSERT(!hitting_solve(h, chosen, &cost));
	CU_ASSERT(!hitting_greedy(h, chosen, &cost));
}

static void implications(void)
{
	struct hitting *h = hitting_new();
	bool chosen[3];
	u64 cost;

	hitting_option(h, 1, 0);
	hitting_option(h, 5, 0);
	hitting_option(h, 3, 0);
	hitting_implies(h, 0, 1);
	CU_ASSERT(hitting_solve(h, chosen, &cost) && cost == 0);
	hitting_clause(h, (u32[]){0, 2}, 2);
	CU_ASSERT(hitting_solve(h, chosen, &cost));
	CU_ASSERT(!chosen[0] && !chosen[1] && chosen[2] && cost == 3);
	hitting_forbid(h, (u32[]){2}, 1);
	CU_ASSERT(hitting_solve(h, chosen, &cost));
	CU_ASSERT(chosen[0] && chosen[1] && cost == 6);
}

const struct unit_test hitting_tests[] = {
	{"random sets", random_sets},
	{"ends", ends},
	{"implications", implications},
	{NULL, NULL},
};
