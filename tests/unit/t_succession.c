/* SPDX-License-Identifier: ISC */
/*
 * t_succession.c - random searches by several workers, which take turns at random: their findings
 * and counts are those of one process.
 *
 * A search is a row of leaves, some blocked, and some with one of a few findings. A task is an
 * interval of it; its worker explores it from its beginning, and gives away its end.
 */
#include "unit.h"

#include <string.h>

#include "base/prng.h"
#include "search/jobs/succession.h"

#define WORKERS	 5
#define LEAVES	 120
#define FINDINGS 6

static struct {
	struct prng random;
	u32 leaves, most;
	u8 finds[LEAVES]; /* a finding + 1; 0: none */
	bool blocked[LEAVES];
	bool suppressed[FINDINGS];
	struct succession order;
	u64 tickets;
	struct task {
		u64 ticket; /* 0: none */
		u32 next, end;
		struct counted counted; /* since the last finding */
	} worker[WORKERS];
	u32 at[FINDINGS]; /* the place where a finding is known to be + 1; 0: nowhere */
} w;

static u32 draw(u32 n)
{
	return (u32)prng_below(&w.random, n);
}

static void count_leaf(struct counted *c, u32 leaf)
{
	c->executions += !w.blocked[leaf];
	c->blocked += w.blocked[leaf];
	c->failing += w.finds[leaf] && !w.blocked[leaf];
	c->steps += leaf;
}

static void draw_search(u64 seed)
{
	struct counted before = {0};

	memset(&w, 0, sizeof w);
	prng_seed(&w.random, seed);
	w.leaves = 20 + draw(LEAVES - 20);
	w.most = draw(4);
	for (u32 i = 0; i < w.leaves; i++) {
		w.finds[i] = draw(8) ? 0 : (u8)(1 + draw(FINDINGS));
		w.blocked[i] = !w.finds[i] && !draw(5);
	}
	for (u32 i = 0; i < FINDINGS; i++)
		w.suppressed[i] = !draw(4);
	w.worker[0] = (struct task){.ticket = ++w.tickets, .next = draw(10), .end = w.leaves};
	for (u32 i = 0; i < w.worker[0].next; i++) {
		w.finds[i] = 0; /* by one process, before the others */
		count_leaf(&before, i);
	}
	succession_begin(&w.order, &before, w.worker[0].ticket, w.most);
}

/* --- one process ------------------------------------------------------------------------------ */

/* The first places of findings, in order, up to the one that ends the search. */
static u32 expected(u32 *place)
{
	bool seen[FINDINGS] = {false};
	u32 n = 0, counting = 0;

	for (u32 i = 0; i < w.leaves; i++) {
		u32 f = w.finds[i] - 1u;

		if (!w.finds[i] || seen[f])
			continue;
		seen[f] = true;
		place[n++] = i;
		counting += !w.suppressed[f];
		if (w.most && counting == w.most)
			break;
	}
	return n;
}

static bool same_counts(const struct counted *a, const struct counted *b)
{
	return a->executions == b->executions && a->blocked == b->blocked &&
	       a->failing == b->failing && a->steps == b->steps;
}

/* --- workers ---------------------------------------------------------------------------------- */

/* Does the end of the search, as far as findings are known, come before this leaf? */
static bool is_behind_end(u32 leaf)
{
	u32 counting = 0;

	for (u32 f = 0; f < FINDINGS; f++)
		counting += w.at[f] && w.at[f] - 1 < leaf && !w.suppressed[f];
	return w.most && counting >= w.most;
}

static void explore_leaf(struct task *t)
{
	u32 leaf = t->next++, f = w.finds[leaf] - 1u;

	if (w.finds[leaf] && (!w.at[f] || succession_precedes(&w.order, t->ticket, f))) {
		CU_ASSERT(!w.at[f] || leaf < w.at[f] - 1);
		succession_find(&w.order, t->ticket, f, !w.suppressed[f], &t->counted);
		w.at[f] = leaf + 1;
		t->counted = (struct counted){0};
	} else if (w.finds[leaf]) {
		CU_ASSERT(leaf > w.at[f] - 1);
	}
	count_leaf(&t->counted, leaf);
}

static void give_end(struct task *t)
{
	struct task *to = &w.worker[draw(WORKERS)];

	if (to->ticket || t->end - t->next < 2)
		return;
	*to = (struct task){.ticket = ++w.tickets, .end = t->end};
	to->next = t->end -= 1 + draw(t->end - t->next - 1);
	succession_give(&w.order, t->ticket, to->ticket);
}

static void step(struct task *t)
{
	bool late = succession_is_late(&w.order, t->ticket);

	CU_ASSERT_EQUAL(late, is_behind_end(t->next));
	if (late || t->next == t->end) {
		succession_end(&w.order, t->ticket, &t->counted);
		t->ticket = 0;
	} else if (!draw(4)) {
		give_end(t);
	} else {
		explore_leaf(t);
	}
}

static bool explore_all(void)
{
	u32 idle = 0, steps = 0;

	while (idle < 20 * WORKERS && steps++ < 100 * LEAVES) {
		struct task *t = &w.worker[draw(WORKERS)];

		idle = t->ticket ? 0 : idle + 1;
		if (t->ticket)
			step(t);
	}
	for (u32 i = 0; i < WORKERS; i++)
		if (w.worker[i].ticket)
			return false;
	return true;
}

static void check_findings(void)
{
	u32 place[FINDINGS], n = expected(place), found[STATUS_FINDINGS], last;
	u32 all = succession_findings(&w.order, found), counting = 0;
	bool open;

	CU_ASSERT_FATAL(all >= n);
	for (u32 i = 0, leaf = 0; i < n; i++) {
		static struct counted sum;
		struct counted until;

		if (!i)
			sum = (struct counted){0};
		for (; leaf < place[i]; leaf++)
			count_leaf(&sum, leaf);
		CU_ASSERT_EQUAL(found[i], w.finds[place[i]] - 1u);
		CU_ASSERT(succession_until(&w.order, found[i], &until));
		CU_ASSERT(same_counts(&until, &sum));
		counting += !w.suppressed[found[i]];
	}
	CU_ASSERT_EQUAL(succession_ends(&w.order, &last, &open), w.most && counting == w.most);
	CU_ASSERT_FALSE(open);
	CU_ASSERT_EQUAL(w.order.ending, w.most && counting == w.most);
	if (w.most && counting == w.most)
		CU_ASSERT_EQUAL(last, found[n - 1]);
}

static void test_workers(void)
{
	for (u32 i = 0; i < unit_count(2000); i++) {
		draw_search(i);
		CU_ASSERT_FATAL(explore_all());
		check_findings();
	}
}

/* A task that its worker could not give away after all; one that is not in the list. */
static void test_removed(void)
{
	struct counted some = {3, 2, 1, 7}, until;
	u32 found[STATUS_FINDINGS];

	succession_begin(&w.order, &some, 1, 1);
	succession_give(&w.order, 1, 2);
	succession_give(&w.order, 2, 3);
	succession_remove(&w.order, 2);
	CU_ASSERT_FALSE(succession_is_late(&w.order, 3));
	succession_find(&w.order, 2, 0, true, &some);
	CU_ASSERT_EQUAL(succession_findings(&w.order, found), 0);
	succession_find(&w.order, 3, 0, true, &some);
	CU_ASSERT_FALSE(succession_until(&w.order, 0, &until)); /* task 1 is open */
	CU_ASSERT_FALSE(succession_is_late(&w.order, 1));
	CU_ASSERT(succession_is_late(&w.order, 3));
	succession_give(&w.order, 0, 4); /* no worker's: at the end */
	CU_ASSERT(succession_is_late(&w.order, 4));
	succession_end(&w.order, 1, &some);
	CU_ASSERT(succession_until(&w.order, 0, &until));
	CU_ASSERT_EQUAL(until.executions, 9);
	CU_ASSERT_EQUAL(until.steps, 21);
}

const struct unit_test succession_tests[] = {
	{"workers", test_workers},
	{"removed", test_removed},
	{NULL, NULL},
};
