/* SPDX-License-Identifier: ISC */
/*
 * t_minimise.c - the search for a simpler execution, on schedules judged by a rule instead of being
 * run: the result must fail by the rule, never cost more, and be the best where all candidates are
 * known.
 */
#include "unit.h"

#include <string.h>

#include "explore/minimise.h"

#define ROOM 4096

static struct schedule_item items[5][ROOM];
static struct schedule_answer answers[5][ROOM];

static void give_memory(struct minimise *m)
{
	struct schedule *all[] = {&m->best, &m->work, &m->got, &m->base};

	for (size_t i = 0; i < array_size(all); i++) {
		all[i]->item = items[i];
		all[i]->answer = answers[i];
	}
}

/* Events of thread 1 and 2 in the order of the script, each made once. */
static u32 order_of(const struct schedule *s, u16 *slot, u32 *step, u32 max)
{
	u32 made[3] = {0}, n = 0;

	for (u32 i = 0; i < s->n; i++) {
		const struct schedule_item *item = &s->item[i];

		for (; !item->commits && made[item->slot] < item->upto && n < max; n++) {
			slot[n] = item->slot;
			step[n] = ++made[item->slot];
		}
	}
	return n;
}

/* It fails if thread 2 makes its 3rd event between the 4th and the 5th of thread 1. */
static enum tried between(struct minimise *m, const struct schedule *s, struct schedule *got,
	struct schedule_cost *cost)
{
	u16 slot[200];
	u32 step[200], n = order_of(s, slot, step, 200), after4 = 0, third = 0, fifth = 0;

	*cost = (struct schedule_cost){.steps = n};
	m->steps += n;
	for (u32 i = 0; i < n; i++) {
		cost->switches += i && slot[i] != slot[i - 1];
		after4 = slot[i] == 1 && step[i] == 4 ? i + 1 : after4;
		third = slot[i] == 2 && step[i] == 3 ? i + 1 : third;
		fifth = slot[i] == 1 && step[i] == 5 ? i + 1 : fifth;
	}
	schedule_copy(got, s);
	return after4 && third > after4 && fifth > third ? TRIED_SAME : TRIED_OTHER;
}

static void add(struct schedule *s, u32 slot, u32 upto)
{
	s->item[s->n++] = (struct schedule_item){.slot = (u16)slot, .upto = upto};
}

static void switches_and_steps(void)
{
	static struct minimise m = {.try = between, .max_steps = 1000000};
	struct schedule_cost cost;

	give_memory(&m);
	m.best.n = 0;
	for (u32 i = 1; i <= 20; i++) {
		add(&m.best, 1, i);
		add(&m.best, 2, i < 4 ? i / 2 : i - 1);
	}
	m.best.last = 1;
	CU_ASSERT_EQUAL_FATAL(between(&m, &m.best, &m.got, &m.cost), TRIED_SAME);
	minimise_run(&m);
	CU_ASSERT_FALSE(m.over);
	CU_ASSERT_EQUAL(between(&m, &m.best, &m.got, &cost), TRIED_SAME);
	CU_ASSERT_EQUAL(cost.switches, 2); /* 1, 2, 1 */
	CU_ASSERT_TRUE(cost.steps < 20);
}

/* It fails as long as the third answer, which is rare, is there. */
static enum tried needs_third(struct minimise *m, const struct schedule *s, struct schedule *got,
	struct schedule_cost *cost)
{
	bool third = false;

	*cost = (struct schedule_cost){.steps = 1};
	m->steps++;
	for (u32 i = 0; i < s->nanswers; i++) {
		cost->rare += s->answer[i].kind == ANSWER_RARE && s->answer[i].taken;
		third |= s->answer[i].slot == 3 && s->answer[i].taken;
	}
	schedule_copy(got, s);
	return third ? TRIED_SAME : TRIED_OTHER;
}

static void rare_answers(void)
{
	static struct minimise m = {.try = needs_third, .max_steps = 1000000};

	give_memory(&m);
	m.best.n = 0;
	m.best.nanswers = 0;
	for (u32 i = 0; i < 9; i++)
		m.best.answer[m.best.nanswers++] = (struct schedule_answer){
			.slot = (u16)i, .taken = 7, .kind = i == 5 ? ANSWER_NUMBER : ANSWER_RARE};
	CU_ASSERT_EQUAL_FATAL(needs_third(&m, &m.best, &m.got, &m.cost), TRIED_SAME);
	minimise_run(&m);
	CU_ASSERT_EQUAL(m.cost.rare, 1);
	CU_ASSERT_EQUAL(
		m.best.nanswers, 9); /* each thread takes its own in order: they stay as "no" */
	CU_ASSERT_EQUAL(m.best.answer[3].taken, 7);
	CU_ASSERT_EQUAL(m.best.answer[5].taken, 7); /* the program's own numbers are not touched */
	CU_ASSERT_EQUAL(m.best.answer[6].taken, 0);
}

static void no_more_than_allowed(void)
{
	static struct minimise m = {.try = between, .max_steps = 300};

	give_memory(&m);
	m.best.n = m.best.nanswers = 0;
	for (u32 i = 1; i <= 20; i++) {
		add(&m.best, 1, i);
		add(&m.best, 2, i < 4 ? i / 2 : i - 1);
	}
	between(&m, &m.best, &m.got, &m.cost);
	minimise_run(&m);
	CU_ASSERT_TRUE(m.over);
	CU_ASSERT_TRUE(m.steps < 300 + 200);
}

/* Two threads; the store of the first stays in its buffer past a load of its own, and the other's
 * are prompt. */
static void from_events(void)
{
	static struct schedule_run scratch;
	static u32 delayed[SCHEDULE_DELAYED], used[SCHEDULE_ITEMS], number[64];
	static const u16 slot_of[] = {0, 1, 2};
	const struct event e[] = {
		{.step = 1,
			.thread = 1,
			.kind = EV_WRITE,
			.flags = EVENT_BUFFERED,
			.buffered = 1,
			.addr = 8,
			.size = 4},
		{.step = 2, .thread = 1, .kind = EV_READ, .buffered = 1, .addr = 16, .size = 4},
		{.step = 3, .thread = 1, .kind = EV_READ, .buffered = 1, .addr = 16, .size = 4},
		{.step = 4,
			.thread = 2,
			.kind = EV_WRITE,
			.flags = EVENT_BUFFERED,
			.buffered = 1,
			.addr = 16,
			.size = 4},
		{.step = 5, .thread = 2, .kind = EV_COMMIT, .store = 4, .addr = 16, .size = 4},
		{.step = 6, .thread = 2, .kind = EV_READ, .addr = 8, .size = 4},
		{.step = 7, .thread = 1, .kind = EV_COMMIT, .store = 1, .addr = 8, .size = 4},
		{.step = 8, .thread = 1, .kind = EV_EXIT},
	};
	struct schedule s = {.item = items[4], .answer = answers[4]};
	struct schedule_cost cost = {0};

	scratch.delayed = delayed;
	scratch.used = used;
	CU_ASSERT_TRUE_FATAL(
		schedule_extract(&s, &scratch, &cost, e, array_size(e), slot_of, false, number));
	CU_ASSERT_EQUAL(cost.relaxed, 2);
	CU_ASSERT_EQUAL(cost.delayed, 1);
	CU_ASSERT_EQUAL(cost.switches, 2);
	CU_ASSERT_EQUAL(cost.steps, 6);
	CU_ASSERT_EQUAL_FATAL(s.n, 4); /* 1, 2, the commit, 1 */
	CU_ASSERT_EQUAL(s.item[0].upto, 2); /* the second load repeats the first */
	CU_ASSERT_EQUAL(s.item[0].again, 1);
	CU_ASSERT_TRUE(s.item[2].commits && s.item[2].slot == 1 && s.item[2].upto == 1);
}

const struct unit_test minimise_tests[] = {
	{"switches and steps go", switches_and_steps},
	{"what is rare goes, what the program chose stays", rare_answers},
	{"it stops at its limit", no_more_than_allowed},
	{"a script from events", from_events},
	{NULL, NULL},
};
