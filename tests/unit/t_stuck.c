/* SPDX-License-Identifier: ISC */
/* t_stuck.c - deadlocks name the cycle, livelocks the spinning threads. */
#include "detect/stuck.h"

#include "unit.h"

#include <string.h>

static void circle_is_named(void)
{
	struct wait w[] = {
		{.thread = 0, .name = "", .kind = EV_JOIN, .object = 1, .holder = 1},
		{.thread = 1, .name = "", .kind = EV_LOCK, .object = 2, .holder = 2},
		{.thread = 2, .name = "", .kind = EV_LOCK, .object = 3, .holder = 1},
	};
	struct finding f = {0};

	stuck_describe(w, 3, &f);
	CU_ASSERT_EQUAL(f.kind, FINDING_DEADLOCK);
	CU_ASSERT_PTR_NOT_NULL(strstr(f.message, "T1"));
	CU_ASSERT_PTR_NOT_NULL(strstr(f.message, "T2"));
	CU_ASSERT_PTR_NULL(strstr(f.message, "main"));
}

static void no_remaining_thread(void)
{
	struct wait w[] = {
		{.thread = 0, .name = "", .kind = EV_JOIN, .object = 1, .holder = 1},
		{.thread = 1, .name = "", .kind = EV_COND_WAKE, .object = 2, .holder = -1},
	};
	struct finding f = {0};

	stuck_describe(w, 2, &f);
	CU_ASSERT_EQUAL(f.kind, FINDING_DEADLOCK);
	CU_ASSERT_PTR_NOT_NULL(strstr(f.message, "T1 waits for ever"));
}

static void spinning(void)
{
	struct wait w[] = {
		{.thread = 0, .name = "", .kind = EV_JOIN, .object = 1, .holder = 2},
		{.thread = 2, .name = "", .kind = EV_READ, .object = 9, .holder = -1},
	};
	struct finding f = {0};

	stuck_describe(w, 2, &f);
	CU_ASSERT_EQUAL(f.kind, FINDING_LIVELOCK);
	CU_ASSERT_EQUAL(f.thread, 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(f.message, "T2 spins for ever"));
}

/* Alone with itself: a thread that waits for a lock it holds. */
static void self(void)
{
	struct wait w[] = {{.thread = 1, .name = "", .kind = EV_LOCK, .object = 2, .holder = 1}};
	struct finding f = {0};

	stuck_describe(w, 1, &f);
	CU_ASSERT_EQUAL(f.kind, FINDING_DEADLOCK);
	CU_ASSERT_EQUAL(f.thread, 1);
}

const struct unit_test stuck_tests[] = {
	{"the circle is named", circle_is_named},
	{"no remaining thread", no_remaining_thread},
	{"spinning", spinning},
	{"holding what it waits for", self},
	{NULL, NULL},
};
