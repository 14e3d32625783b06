/* SPDX-License-Identifier: ISC */
/* t_trace_cache.c - the same trace is known in other orders of steps, others are not. */
#include "explore/trace_cache.h"
#include "unit.h"

static const struct agent_access x = {0x1000, 4, true}, y = {0x2000, 4, true},
				 read_x = {0x1000, 4, false}, both = {0xffc, 8, false};

/* Is the state after these steps known, with so many preemptions left? */
static bool known(u32 left, u32 n, const u32 *threads, const struct agent_access *const *what)
{
	trace_cache_begin(true);
	for (u32 i = 0; i < n; i++)
		if (what[i])
			trace_step(threads[i], what[i]);
		else
			trace_step_any(threads[i]);
	return trace_is_known(0, left);
}

#define KNOWN(left, threads, ...) \
	known(left, sizeof(threads) - 1, by(threads), \
		(const struct agent_access *const[]){__VA_ARGS__})

/* Numbers of threads, a digit each. */
static const u32 *by(const char *digits)
{
	static u32 list[8];

	for (u32 i = 0; digits[i]; i++)
		list[i] = (u32)(digits[i] - '0');
	return list;
}

static void steps_that_commute(void)
{
	trace_cache_clear();
	CU_ASSERT(!KNOWN(1, "12", &x, &y));
	CU_ASSERT(KNOWN(1, "21", &y, &x));
	CU_ASSERT(!KNOWN(1, "12", &y, &x)); /* by other threads */
	CU_ASSERT(!KNOWN(1, "12", &x, &x));
	CU_ASSERT(!KNOWN(1, "21", &x, &x));
	CU_ASSERT(!KNOWN(1, "12", &read_x, &read_x));
	CU_ASSERT(KNOWN(1, "21", &read_x, &read_x));
	CU_ASSERT(!KNOWN(1, "12", &read_x, &x));
	CU_ASSERT(!KNOWN(1, "21", &x, &read_x));
	CU_ASSERT(!KNOWN(1, "12", &x, &both)); /* overlapping */
	CU_ASSERT(!KNOWN(1, "21", &both, &x));
	CU_ASSERT(!KNOWN(1, "1212", &x, &y, &x, &y));
	CU_ASSERT(KNOWN(1, "1122", &x, &x, &y, &y));
	CU_ASSERT(!KNOWN(1, "1122", &x, &y, &x, &y));
}

static void steps_of_anything(void)
{
	trace_cache_clear();
	CU_ASSERT(!KNOWN(1, "12", &x, NULL));
	CU_ASSERT(!KNOWN(1, "21", NULL, &x));
	CU_ASSERT(!KNOWN(1, "123", &x, NULL, &y));
	CU_ASSERT(!KNOWN(1, "132", &x, &y, NULL));
	CU_ASSERT(KNOWN(1, "312", &y, &x, NULL));
}

static void bounds_and_searches(void)
{
	trace_cache_clear();
	CU_ASSERT(!KNOWN(1, "12", &x, &y));
	CU_ASSERT(!KNOWN(2, "21", &y, &x)); /* more is possible from here */
	CU_ASSERT(KNOWN(2, "12", &x, &y));
	CU_ASSERT(KNOWN(0, "12", &x, &y));
	trace_cache_clear();
	CU_ASSERT(!KNOWN(0, "12", &x, &y));
}

static void what_is_no_step(void)
{
	trace_cache_clear();
	trace_cache_begin(true);
	trace_choice(1, 0);
	CU_ASSERT(!trace_is_known(0, 1));
	trace_cache_begin(true);
	trace_choice(1, 1);
	CU_ASSERT(!trace_is_known(0, 1));
	trace_cache_begin(true);
	trace_create(1, 2, 0);
	CU_ASSERT(!trace_is_known(0, 1));
	CU_ASSERT(!trace_is_known(1, 1)); /* another state with the same trace */
	trace_cache_begin(true);
	trace_create(1, 3, 0);
	CU_ASSERT(!trace_is_known(0, 1));
	trace_give_up();
	CU_ASSERT(!traces_noted);
}

const struct unit_test trace_cache_tests[] = {
	{"steps that commute", steps_that_commute},
	{"steps that may conflict with any", steps_of_anything},
	{"bounds, and searches", bounds_and_searches},
	{"what is no step", what_is_no_step},
	{NULL, NULL},
};
