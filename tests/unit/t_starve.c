/* SPDX-License-Identifier: ISC */
/* t_starve.c - repeatable executions: starving threads, looping threads, and the resulting
 * finding. */
#include "detect/starve.h"

#include "unit.h"

#include <string.h>

#define GOES_ROUND(t)  {.thread = (t), .name = "", .kind = EV_WRITE, .object = 7, .holder = -1}
#define LOCKS(t, from) {.thread = (t), .name = "", .kind = EV_LOCK, .object = 8, .holder = (from)}
#define JOINS(t, of)   {.thread = (t), .name = "", .kind = EV_JOIN, .object = 9, .holder = (of)}
#define SPINS(t)       {.thread = (t), .name = "", .kind = EV_READ, .object = 5, .holder = -1}

static struct finding f;

static void describe_left(const struct wait *w, u32 n, bool left)
{
	f = (struct finding){.thread = 99};
	starve_describe(w, n, left, &f);
}

static void describe(const struct wait *w, u32 n)
{
	describe_left(w, n, false);
}

/* Main joins a looping thread, whose missing end is the cause: main does not starve. */
static void who_waits_starves(void)
{
	const struct wait w[] = {JOINS(0, 1), GOES_ROUND(1), LOCKS(2, 1), GOES_ROUND(3), SPINS(4)};

	describe(w, 5);
	CU_ASSERT_EQUAL(f.kind, FINDING_STARVATION);
	CU_ASSERT_EQUAL(f.thread, 2);
	CU_ASSERT_STRING_EQUAL(f.message,
		"starvation: T2 waits for ever to lock (held by T1), T4 spins for ever "
		"while T1 and T3 loop");
}

/* Main, which joins, holds T2's object; T4 holds that of T3, and no end is missing. */
static void who_waits_for_a_joiner(void)
{
	const struct wait joined[] = {JOINS(0, 1), GOES_ROUND(1), LOCKS(2, 0)};
	const struct wait both[] = {
		JOINS(0, 1), GOES_ROUND(1), LOCKS(2, 0), LOCKS(3, 4), LOCKS(4, 3)};

	describe(joined, 3);
	CU_ASSERT_EQUAL(f.kind, FINDING_LIVELOCK);
	CU_ASSERT_STRING_EQUAL(f.message, "livelock: T1 loops for ever");
	describe(both, 5);
	CU_ASSERT_EQUAL(f.kind, FINDING_STARVATION);
	CU_ASSERT_EQUAL(f.thread, 3);
}

static void one_goes_round(void)
{
	const struct wait w[] = {LOCKS(0, -1), GOES_ROUND(1)};

	describe(w, 2);
	CU_ASSERT_EQUAL(f.kind, FINDING_STARVATION);
	CU_ASSERT_EQUAL(f.thread, 0);
	CU_ASSERT_STRING_EQUAL(
		f.message, "starvation: main waits for ever to lock while T1 loops");
}

static void all_go_round(void)
{
	const struct wait w[] = {JOINS(0, 2), GOES_ROUND(1), GOES_ROUND(2), GOES_ROUND(3)};

	describe(w, 4);
	CU_ASSERT_EQUAL(f.kind, FINDING_LIVELOCK);
	CU_ASSERT_EQUAL(f.thread, 1);
	CU_ASSERT_STRING_EQUAL(f.message, "livelock: T1, T2 and T3 loop for ever");
}

/* Other schedules make progress. */
static void in_lockstep(void)
{
	const struct wait w[] = {JOINS(0, 2), GOES_ROUND(1), GOES_ROUND(2)};

	describe_left(w, 3, true);
	CU_ASSERT_EQUAL(f.kind, FINDING_STARVATION);
	CU_ASSERT_EQUAL(f.thread, 1);
	CU_ASSERT_STRING_EQUAL(f.message, "starvation: T1 and T2 loop in lockstep");
}

static void all_spin(void)
{
	const struct wait w[] = {JOINS(0, 1), SPINS(1), SPINS(2)};

	describe(w, 3);
	CU_ASSERT_EQUAL(f.kind, FINDING_LIVELOCK);
	CU_ASSERT_EQUAL(f.thread, 1);
	CU_ASSERT_STRING_EQUAL(f.message, "livelock: T1 spins for ever, T2 spins for ever");
}

/* Findings with the same message differ by the awaited object. */
static void sites(void)
{
	struct wait w[] = {LOCKS(1, 2), GOES_ROUND(2)};
	u64 site;

	describe(w, 2);
	site = f.site;
	describe(w, 2);
	CU_ASSERT_EQUAL(f.site, site);
	w[0].object++;
	describe(w, 2);
	CU_ASSERT_NOT_EQUAL(f.site, site);
}

const struct unit_test starve_tests[] = {
	{"who waits starves", who_waits_starves},
	{"who waits for a joiner does not starve", who_waits_for_a_joiner},
	{"one loops", one_goes_round},
	{"all loop", all_go_round},
	{"in lockstep", in_lockstep},
	{"all spin", all_spin},
	{"sites", sites},
	{NULL, NULL},
};
