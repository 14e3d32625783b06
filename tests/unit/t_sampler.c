/* SPDX-License-Identifier: ISC */
/*
 * t_sampler.c - samplers on straight-line programs: all orders are reached, and bugs of a known
 * depth are as frequent as theory says.
 */
#include "explore/explore.h"

#include <string.h>

#include "unit.h"

#define THREADS 2
#define LENGTH	128
#define PADDING 50 /* private accesses before and after those that matter */

enum { X = 0x1000, Y = 0x2000, PRIVATE = 0x3000 };

/* Threads of accesses, and the step at which each was made in the last execution. */
struct program {
	struct agent_access op[THREADS][LENGTH];
	u32 n[THREADS];
	u32 step[THREADS][LENGTH];
};

static u32 log_[1024];
static volatile u32 published;
static struct options options;
static struct explore x;
static struct program p;

static void add(u32 thread, u64 addr, bool writes)
{
	p.op[thread][p.n[thread]++] = (struct agent_access){addr, 4, writes};
}

static void pad(u32 thread, u32 n)
{
	while (n--)
		add(thread, PRIVATE + thread * 64, true);
}

static void start(enum strategy s, u64 seed)
{
	option_defaults(&options);
	options.depth = 2;
	options.seed = seed;
	explore_start(&x, strategy_ops(s), &options, log_, array_size(log_), &published);
}

/* As the machine does: an option is a thread that has not ended. */
static void execute(void)
{
	u32 at[THREADS] = {0}, steps = 0;

	explore_next(&x);
	for (;;) {
		struct agent_access access[THREADS];
		u32 agents[THREADS], n = 0, t;

		for (t = 0; t < THREADS; t++)
			if (at[t] < p.n[t]) {
				access[n] = p.op[t][at[t]];
				agents[n++] = agent(t + 1, false);
			}
		if (!n)
			return;
		x.access = access;
		if (n > 1)
			t = agent_thread(agents[explore_choose(&x, n, agents)]) - 1;
		else {
			t = agent_thread(agents[0]) - 1;
			if (x.ops->wants_accesses)
				x.ops->choose(&x, 1, agents);
		}
		p.step[t][at[t]++] = steps++;
	}
}

/* The order of the accesses of two threads with three each, as a number below 64. */
static u32 order_of_three(void)
{
	u32 order = 0;

	for (u32 i = 0; i < 3; i++)
		order |= 1u << p.step[1][i];
	return order;
}

static void three_writes_each(void)
{
	memset(&p, 0, sizeof p);
	for (u32 t = 0; t < THREADS; t++)
		for (u32 i = 0; i < 3; i++)
			add(t, X, true);
}

static void all_orders_are_reached(enum strategy s, u32 executions, u32 least, u32 most)
{
	u32 seen[64] = {0}, orders = 0;

	three_writes_each();
	start(s, 1);
	for (u32 i = 0; i < executions; i++) {
		execute();
		seen[order_of_three()]++;
	}
	for (u32 i = 0; i < 64; i++) {
		orders += seen[i] > 0;
		if (seen[i])
			CU_ASSERT(seen[i] >= least && seen[i] <= most);
	}
	CU_ASSERT_EQUAL(orders, 20); /* 6 over 3 */
}

static void pos_reaches_all_orders(void)
{
	all_orders_are_reached(STRATEGY_POS, 4000, 40, 700);
}

static void surw_orders_are_equally_likely(void)
{
	all_orders_are_reached(STRATEGY_SURW, 4000, 140, 270); /* 200, deviation 14 */
}

/* A write of one thread between two adjacent reads of the other: depth 2. */
static void one_window(void)
{
	memset(&p, 0, sizeof p);
	pad(0, PADDING);
	add(0, X, false);
	add(0, X, false);
	pad(0, PADDING);
	add(1, X, true);
}

/* The same for two locations: depth 3. */
static void two_windows(void)
{
	memset(&p, 0, sizeof p);
	pad(0, 20);
	add(0, X, false);
	add(0, X, false);
	pad(0, 20);
	add(0, Y, false);
	add(0, Y, false);
	pad(0, 20);
	pad(1, 10);
	add(1, X, true);
	pad(1, 10);
	add(1, Y, true);
}

static bool falls_between(u32 write, u32 read)
{
	return p.step[0][read] < p.step[1][write] && p.step[1][write] < p.step[0][read + 1];
}

static u32 hits(enum strategy s, u32 executions, bool second)
{
	u32 found = 0;

	start(s, 7);
	for (u32 i = 0; i < executions; i++) {
		execute();
		found += second ? falls_between(10, 20) && falls_between(21, 42)
				: falls_between(0, PADDING);
	}
	return found;
}

/* Of 10000, by theory: pct at least 1/(n k) = 48, pos 1/104 = 96, surw a third; a random walk 0. */
static void depth_2(void)
{
	u32 found;

	one_window();
	CU_ASSERT_EQUAL(hits(STRATEGY_RANDOM, 10000, false), 0);
	found = hits(STRATEGY_PCT, 10000, false);
	CU_ASSERT(found >= 25 && found <= 75);
	found = hits(STRATEGY_POS, 10000, false);
	CU_ASSERT(found >= 65 && found <= 140);
	found = hits(STRATEGY_SURW, 10000, false);
	CU_ASSERT(found >= 3100 && found <= 3600);
}

/* If both locations are interesting, 1 in 15 orders of the six accesses; that is every second
 * execution. */
static void depth_3(void)
{
	u32 found;

	two_windows();
	found = hits(STRATEGY_SURW, 10000, true);
	CU_ASSERT(found >= 250 && found <= 450);
	CU_ASSERT(hits(STRATEGY_POS, 10000, true) >= 1);
}

static void repeat_with_their_seeds(void)
{
	static const enum strategy strategies[] = {STRATEGY_POS, STRATEGY_SURW};
	struct program before;

	one_window();
	for (u32 i = 0; i < array_size(strategies); i++) {
		u32 differences = 0;

		for (u32 seed = 1; seed <= 3; seed++) {
			start(strategies[i], seed);
			for (u32 k = 0; k < 20; k++)
				execute();
			differences += seed > 1 && memcmp(&before, &p, sizeof p) != 0;
			before = p;
			hits(STRATEGY_POS, 5, false);
			start(strategies[i], seed);
			for (u32 k = 0; k < 20; k++)
				execute();
			CU_ASSERT(!memcmp(&before, &p, sizeof p));
		}
		CU_ASSERT(differences > 0);
	}
}

/* The agent that surw waits for gives way to one that it waits for itself. */
static void surw_does_not_wait_for_ever(void)
{
	u32 agents[2] = {agent(1, false), agent(2, false)};
	struct agent_access access[2] = {{X, 4, true}, {0}};

	three_writes_each();
	start(STRATEGY_SURW, 1);
	for (u32 i = 0; i < 10; i++)
		execute();
	x.access = access;
	for (u32 i = 0; i < 20; i++) {
		u32 turns = 0;

		explore_next(&x);
		while (x.ops->choose(&x, 2, agents) && turns++ < 1000)
			explore_yield(&x, 2);
		CU_ASSERT(turns < 100);
	}
}

const struct unit_test sampler_tests[] = {
	{"pos reaches all orders", pos_reaches_all_orders},
	{"surw: orders are equally likely", surw_orders_are_equally_likely},
	{"a bug of depth 2", depth_2},
	{"a bug of depth 3", depth_3},
	{"samples repeat with their seeds", repeat_with_their_seeds},
	{"surw does not wait for ever", surw_does_not_wait_for_ever},
	{NULL, NULL},
};
