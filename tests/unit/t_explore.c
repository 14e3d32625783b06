/* SPDX-License-Identifier: ISC */
/* t_explore.c - the strategies on known trees of choices. */
#include "explore/explore.h"

#include "unit.h"

static u32 log_[64];
static volatile u32 published;
static struct options options;

static void start(struct explore *x, enum strategy s)
{
	option_defaults(&options);
	explore_start(x, strategy_ops(s), &options, log_, array_size(log_), &published);
}

/* A question with 3 answers; after answer i, i questions with 2: 1 + 2 + 4 executions. */
static void dfs_sees_all_once(void)
{
	struct explore x = {0};
	u32 seen[3] = {0};
	u32 executions = 0;

	start(&x, STRATEGY_DFS);
	while (explore_next(&x)) {
		u32 first = explore_choose(&x, 3, NULL);

		seen[first]++;
		for (u32 i = 0; i < first; i++)
			explore_choose(&x, 2, NULL);
		CU_ASSERT_EQUAL(published, first + 1);
		executions++;
	}
	CU_ASSERT_EQUAL(executions, 7);
	CU_ASSERT_EQUAL(seen[0], 1);
	CU_ASSERT_EQUAL(seen[1], 2);
	CU_ASSERT_EQUAL(seen[2], 4);
	CU_ASSERT(!x.diverged);
}

static void dfs_without_questions(void)
{
	struct explore x = {0};

	start(&x, STRATEGY_DFS);
	CU_ASSERT(explore_next(&x));
	CU_ASSERT(!explore_next(&x));
}

static void dfs_notices_nondeterminism(void)
{
	struct explore x = {0};

	start(&x, STRATEGY_DFS);
	explore_next(&x);
	explore_choose(&x, 2, NULL);
	explore_choose(&x, 2, NULL);
	explore_next(&x);
	explore_choose(&x, 3, NULL);
	CU_ASSERT(x.diverged);
	CU_ASSERT_EQUAL(x.diverged_n, 3);
}

static void follow_takes_what_is_given(void)
{
	struct explore x = {0};

	start(&x, STRATEGY_FOLLOW);
	log_[0] = 1 | 3 << 16;
	log_[1] = 0 | 2 << 16;
	x.prefix = 2;
	CU_ASSERT(explore_next(&x));
	CU_ASSERT_EQUAL(explore_choose(&x, 3, NULL), 1);
	CU_ASSERT_EQUAL(explore_choose(&x, 2, NULL), 0);
	CU_ASSERT(!x.diverged);
	explore_choose(&x, 2, NULL);
	CU_ASSERT(x.diverged);
	CU_ASSERT(!explore_next(&x));
}

static void random_repeats_with_its_seed(void)
{
	struct explore x = {0};
	u32 first[20];

	start(&x, STRATEGY_RANDOM);
	explore_next(&x);
	for (u32 i = 0; i < 20; i++)
		first[i] = explore_choose(&x, 7, NULL);
	start(&x, STRATEGY_RANDOM);
	explore_next(&x);
	for (u32 i = 0; i < 20; i++)
		CU_ASSERT_EQUAL(explore_choose(&x, 7, NULL), first[i]);
}

/* Two agents, no change of priority (depth 1): one goes first to its end, then the other. */
static void pct_keeps_to_priorities(void)
{
	struct explore x = {0};
	u32 agents[2] = {agent(1, false), agent(2, false)}, swapped[2] = {agents[1], agents[0]};
	u32 orders[2] = {0};

	start(&x, STRATEGY_PCT);
	options.depth = 1;
	for (u32 i = 0; i < 200 && explore_next(&x); i++) {
		u32 first = explore_choose(&x, 2, agents);

		orders[first]++;
		CU_ASSERT_EQUAL(explore_choose(&x, 2, agents), first);
		CU_ASSERT_EQUAL(explore_choose(&x, 2, swapped), !first);
		explore_yield(&x, agent_thread(agents[first]));
		CU_ASSERT_EQUAL(explore_choose(&x, 2, agents), !first);
	}
	CU_ASSERT(orders[0] > 60 && orders[1] > 60);
}

/* Depth 2: after a step that is drawn, the other one moves, to the end. */
static void pct_changes_once(void)
{
	struct explore x = {0};
	u32 agents[2] = {agent(1, false), agent(2, false)};
	u32 early = 0, late = 0, steps = 32; /* the initial length of an execution */

	start(&x, STRATEGY_PCT);
	options.depth = 2;
	for (u32 i = 0; i < 200 && explore_next(&x); i++) {
		u32 last = explore_choose(&x, 2, agents), changes = 0;

		for (u32 step = 2; step <= steps; step++) {
			u32 now = explore_choose(&x, 2, agents);

			if (now == last)
				continue;
			changes++;
			*(step <= steps / 2 ? &early : &late) += 1;
			last = now;
		}
		CU_ASSERT(changes <= 1); /* none: before the first step */
	}
	CU_ASSERT(early > 60 && late > 60);
}

const struct unit_test explore_tests[] = {
	{"dfs sees all, each once", dfs_sees_all_once},
	{"dfs without questions", dfs_without_questions},
	{"dfs notices nondeterminism", dfs_notices_nondeterminism},
	{"follow takes what is given", follow_takes_what_is_given},
	{"random repeats with its seed", random_repeats_with_its_seed},
	{"pct keeps to priorities", pct_keeps_to_priorities},
	{"pct changes once", pct_changes_once},
	{NULL, NULL},
};
