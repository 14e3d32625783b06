/* SPDX-License-Identifier: ISC */
/* t_fair.c - round-robin schedules: steps of each thread, skipped threads, and the random
 * part. */
#include "explore/explore.h"

#include "unit.h"

#define THREADS	  3
#define SIMPLE	  8  /* executions without random steps */
#define WALK	  64 /* random steps at most */
#define MAIN	  64 /* steps of the creator of threads in a turn */
#define QUESTIONS 65536

static u32 log_[QUESTIONS];
static volatile u32 published;
static struct options options;

static void start(struct explore *x, u64 seed)
{
	option_defaults(&options);
	options.seed = seed;
	explore_start(x, &strategy_fair, &options, log_, array_size(log_), &published);
}

static void agents_of_all(u32 *agents)
{
	for (u32 i = 0; i < THREADS; i++)
		agents[i] = agent(i, false);
}

/* The number of the thread that moves when all are enabled. */
static u32 step(struct explore *x)
{
	u32 agents[THREADS];

	agents_of_all(agents);
	return agent_number(agents[explore_choose(x, THREADS, agents)]);
}

static void skip_executions(struct explore *x, u32 n)
{
	while (n--)
		CU_ASSERT_FATAL(explore_next(x));
}

/* So many steps of thread t until another one moves, which is *next. */
static u32 steps_of(struct explore *x, u32 *next)
{
	u32 t = *next, n = 1;

	while ((*next = step(x)) == t)
		n++;
	return n;
}

/* After the random part, each thread has the same number of steps in each turn, one thread after
 * the other. */
static void turns_are_the_same(void)
{
	struct explore x;

	start(&x, 7);
	for (u32 execution = 0; execution < 40; execution++) {
		u32 steps[THREADS] = {0}, next;

		CU_ASSERT_FATAL(explore_next(&x));
		for (u32 i = 0; i < WALK; i++)
			step(&x);
		next = step(&x);
		steps_of(&x, &next); /* the rest of a turn */
		for (u32 i = 0; i < 5 * THREADS; i++) {
			u32 t = next, n = steps_of(&x, &next);

			CU_ASSERT_EQUAL(next, (t + 1) % THREADS);
			CU_ASSERT(!steps[t] || steps[t] == n);
			steps[t] = n;
			CU_ASSERT(n <= (t ? 6 : MAIN));
		}
	}
}

/* The first ones: single steps, with the creator of threads first or not; four in turns at once,
 * four after a step. */
static void the_first_are_simple(void)
{
	u32 firsts[SIMPLE][THREADS] = {{0}};

	for (u64 seed = 1; seed <= 20; seed++) {
		struct explore x;

		start(&x, seed);
		for (u32 execution = 0; execution < SIMPLE; execution++) {
			u32 next;

			CU_ASSERT_FATAL(explore_next(&x));
			firsts[execution][step(&x)]++;
			next = step(&x);
			for (u32 i = 0; i < 4 * THREADS; i++) {
				u32 t = next, n = steps_of(&x, &next);

				CU_ASSERT(i < THREADS || n == (t || execution & 2 ? 1 : MAIN));
			}
		}
	}
	for (u32 execution = 0; execution < SIMPLE; execution++)
		CU_ASSERT(execution < 4 ? firsts[execution][1] == 20 : firsts[execution][1] < 20);
}

/* Thread 1 would read a new value: every second execution skips it until it would
 * not. */
static void adversaries_skip_progress(void)
{
	u32 passed_over = 0;

	for (u32 execution = 1; execution <= 16; execution++) {
		struct explore x;
		u32 agents[THREADS], moved = 0;

		start(&x, 7);
		skip_executions(&x, execution);
		for (u32 i = 0; i < WALK; i++)
			step(&x);
		agents_of_all(agents);
		agents[1] |= AGENT_NEW_VALUE;
		for (u32 i = 0; i < 4 * MAIN; i++)
			moved += explore_choose(&x, THREADS, agents) == 1;
		if (moved)
			continue;
		passed_over++;
		CU_ASSERT_EQUAL(step(&x), 1); /* at once, as it was skipped */
		for (u32 i = 0; i < 2 * MAIN; i++)
			moved += step(&x) == 2;
		CU_ASSERT(moved > 0); /* but not for ever */
	}
	CU_ASSERT_EQUAL(passed_over, 8);
}

/* Starved is a thread, not its stores; with an adversary only; in this execution. */
static void starved_threads(void)
{
	struct explore x;
	u32 agents[THREADS], store[2] = {agent(0, false), agent(2, true)};

	start(&x, 7);
	agents_of_all(agents);
	agents[0] |= AGENT_NEW_VALUE;
	CU_ASSERT_FATAL(explore_next(&x)); /* no adversary */
	CU_ASSERT_EQUAL(explore_choose(&x, THREADS, agents), 1);
	CU_ASSERT_EQUAL(step(&x), 2);

	agents_of_all(agents);
	agents[2] |= AGENT_NEW_VALUE;
	CU_ASSERT_FATAL(explore_next(&x));
	explore_choose(&x, THREADS, agents);
	CU_ASSERT_EQUAL(explore_choose(&x, 2, store), 0);

	skip_executions(&x, 2);
	CU_ASSERT_EQUAL(step(&x), 1);
}

/* If no other thread is enabled, the skipped one moves; stores are committed only if no thread can
 * move. */
static void some_thread_moves(void)
{
	struct explore x;
	u32 agents[THREADS] = {agent(1, true), agent(1, false) | AGENT_NEW_VALUE, agent(2, true)};
	u32 stores[2] = {agent(1, true), agent(2, true)};

	start(&x, 7);
	for (u32 execution = 0; execution < 4; execution++) { /* these begin in turns at once */
		CU_ASSERT_FATAL(explore_next(&x));
		for (u32 i = 0; i < 20; i++)
			CU_ASSERT_EQUAL(explore_choose(&x, THREADS, agents), 1);
		CU_ASSERT_EQUAL(explore_choose(&x, 2, stores), 0);
		CU_ASSERT(execution & 1 || step(&x) == 2); /* its turn is over */
	}
}

/* A data choice of the program is no schedule: always the same. Only the seed makes executions
 * random. */
static void nothing_else_is_at_random(void)
{
	struct explore x;
	u32 first[200], differ = 0;

	for (u64 seed = 1; seed <= 3; seed++) {
		start(&x, seed == 3 ? 4 : 1);
		skip_executions(&x, SIMPLE + 1);
		for (u32 i = 0; i < 200; i++) {
			u32 t = step(&x);

			CU_ASSERT_EQUAL(explore_choose(&x, 5, NULL), 0);
			if (seed == 1)
				first[i] = t;
			CU_ASSERT(seed == 3 || t == first[i]);
			differ += t != first[i];
		}
	}
	CU_ASSERT(differ > 0);
}

const struct unit_test fair_tests[] = {
	{"turns are the same", turns_are_the_same},
	{"the first are simple", the_first_are_simple},
	{"adversaries skip progress", adversaries_skip_progress},
	{"starved threads", starved_threads},
	{"some thread moves", some_thread_moves},
	{"nothing else is at random", nothing_else_is_at_random},
	{NULL, NULL},
};
