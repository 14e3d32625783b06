/* SPDX-License-Identifier: ISC */
/* t_lock_graph.c - cycles of locks taken in different orders: reported ones, and excluded
 * ones. */
#include "detect/lock_graph.h"

#include "unit.h"

#include <stdlib.h>

static struct lock_graph o;
static const struct lock_edge *circle[LOCK_GRAPH_CYCLE];

static void take(u32 thread, u64 lock)
{
	static u32 step;

	lock_graph_takes(&o, thread, lock, ++step, false, true);
}

/* Take all of them, then free them. */
static void nest(u32 thread, u64 a, u64 b, u64 c)
{
	u64 locks[] = {a, b, c};

	for (u32 i = 0; i < 3; i++)
		if (locks[i])
			take(thread, locks[i]);
	for (u32 i = 3; i-- > 0;)
		if (locks[i])
			lock_graph_frees(&o, thread, locks[i]);
}

static void two_locks(void)
{
	lock_graph_begin(&o);
	nest(1, 10, 20, 0);
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 0);
	nest(1, 20, 10, 0); /* one thread cannot wait for itself */
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 0);
	nest(2, 20, 10, 0);
	CU_ASSERT_EQUAL_FATAL(lock_graph_cycle(&o, circle), 2);
	CU_ASSERT_EQUAL(circle[0]->thread, 1);
	CU_ASSERT_EQUAL(circle[0]->wanted.lock, 20);
	CU_ASSERT_EQUAL(circle[1]->thread, 2);
	CU_ASSERT_EQUAL(circle[1]->wanted.lock, 10);
}

static void three_locks(void)
{
	lock_graph_begin(&o);
	nest(1, 10, 20, 0);
	nest(2, 20, 30, 0);
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 0);
	nest(3, 30, 10, 0);
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 3);
}

static void a_common_lock_keeps_apart(void)
{
	lock_graph_begin(&o);
	nest(1, 5, 10, 20);
	nest(2, 5, 20, 10);
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 0);
	nest(3, 20, 10, 0); /* without it */
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 2);
}

static void readers_do_not_wait(void)
{
	lock_graph_begin(&o);
	take(1, 10);
	lock_graph_takes(&o, 1, 20, 1, true, true);
	lock_graph_takes(&o, 2, 20, 2, true, true);
	take(2, 10);
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 0);
	lock_graph_frees(&o, 2, 10);
	lock_graph_frees(&o, 2, 20);
	take(2, 20); /* for writing */
	take(2, 10);
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 2);
}

static void who_only_tries_does_not_wait(void)
{
	lock_graph_begin(&o);
	nest(1, 10, 20, 0);
	take(2, 20);
	lock_graph_takes(&o, 2, 10, 1, false, false);
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 0);
	take(2, 30); /* but it holds locks that it got */
	nest(3, 30, 10, 0);
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 2);
}

static void recursion_is_no_wait(void)
{
	lock_graph_begin(&o);
	nest(1, 10, 20, 10);
	nest(2, 10, 20, 10);
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 0);
}

static void starts_and_joins_order(void)
{
	lock_graph_begin(&o);
	nest(0, 10, 20, 0);
	lock_graph_creates(&o, 0, 1);
	nest(1, 20, 10, 0);
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 0);
	lock_graph_joins(&o, 0, 1);
	nest(0, 10, 20, 0);
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 0);
	lock_graph_creates(&o, 0, 2);
	nest(2, 20, 10, 0);
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 0);
	nest(0, 10, 20, 0); /* beside thread 2 */
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 2);
}

/* Two locks each, never three: a circle is a cycle of the graph of locks with a thread of its own
 * for each edge. By all permutations of threads. */
static bool circle_by_force(u64 (*pair)[2], u32 n, u32 used, u64 first, u64 at)
{
	for (u32 t = 0; t < n; t++) {
		if (used >> t & 1 || pair[t][0] != at)
			continue;
		if (pair[t][1] == first ||
			circle_by_force(pair, n, used | 1u << t, first, pair[t][1]))
			return true;
	}
	return false;
}

static void random_pairs(void)
{
	u32 circles = 0, wrong = 0;

	srand(1);
	for (u32 round = 0; round < 2000; round++) {
		u64 pair[6][2];
		bool expected = false;

		lock_graph_begin(&o);
		for (u32 t = 0; t < 6; t++) {
			pair[t][0] = 1 + (u64)rand() % 5;
			pair[t][1] = 1 + (pair[t][0] + (u64)rand() % 4) % 5;
			nest(t, pair[t][0], pair[t][1], 0);
		}
		for (u64 l = 1; l <= 5; l++)
			expected |= circle_by_force(pair, 6, 0, l, l);
		circles += expected;
		wrong += expected != (lock_graph_cycle(&o, circle) > 0);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(circles > 500 && circles < 1990);
}

static void too_many(void)
{
	lock_graph_begin(&o);
	for (u64 l = 0; l < ORDER_EDGES + 1; l++)
		nest(1, 1000 + l, 1, 0);
	CU_ASSERT(o.full);
	CU_ASSERT_EQUAL(o.nedges, ORDER_EDGES);
	CU_ASSERT_EQUAL(lock_graph_cycle(&o, circle), 0);
}

const struct unit_test lock_graph_tests[] = {
	{"two locks", two_locks},
	{"three locks", three_locks},
	{"a common lock keeps apart", a_common_lock_keeps_apart},
	{"readers do not wait", readers_do_not_wait},
	{"who only tries does not wait", who_only_tries_does_not_wait},
	{"recursion is no wait", recursion_is_no_wait},
	{"starts and joins order", starts_and_joins_order},
	{"random pairs", random_pairs},
	{"too many", too_many},
	{NULL, NULL},
};
