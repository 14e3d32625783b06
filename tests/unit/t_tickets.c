/* SPDX-License-Identifier: ISC */
/*
 * t_tickets.c - the tickets of a search on several machines: random searches by random ranks, which
 * are slow, die and come back, have the result of one process.
 *
 * A search is a row of leaves, of which some fail with one of three findings. An image is an
 * interval of them; a process explores it from its beginning, and gives away its end.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/prng.h"
#include "mpi/table.h"

#define RANKS  4
#define LEAVES 200

struct interval {
	u32 next, end;
};

static struct {
	struct prng random;
	u32 leaves;
	u8 fails[LEAVES]; /* 0: no */
	bool keep_going;
	struct ticket_table table, copy;
	struct process {
		u64 ticket; /* 0: none */
		struct interval todo;
		struct status *page;
	} rank[RANKS];
} w;

static u32 draw(u32 n)
{
	return (u32)prng_below(&w.random, n);
}

/* One execution. False: the process stops at its finding. */
static bool explore(struct status *s, u32 leaf)
{
	struct status_finding f = {.execution = s->executions + 1};

	s->executions++;
	if (!w.fails[leaf])
		return true;
	s->failing++;
	f.finding.line = w.fails[leaf];
	for (u32 i = 0; i < s->nfindings; i++)
		if (s->findings[i].finding.line == f.finding.line)
			return w.keep_going;
	s->findings[s->nfindings++] = f;
	return w.keep_going;
}

static struct status *empty_page(struct status *s)
{
	if (!s)
		s = calloc(1, sizeof(*s));
	s->executions = s->failing = s->nfindings = 0;
	s->max_steps = 1;
	s->complete = s->give.complete = 1;
	return s;
}

/* --- messages, to the table and to another one as from a journal ------------------------------ */

static bool send_table(const struct message *m)
{
	struct bytes all = message_write(m);
	struct message again;
	bool good = table_take(&w.table, m);

	CU_ASSERT_TRUE(message_read(&again, all));
	if (good)
		CU_ASSERT_TRUE(table_take(&w.copy, &again));
	return good;
}

/* Of a process, unless its ticket is not its own any more. */
static bool send_own(struct process *p, const struct message *m)
{
	const struct ticket *k = table_find(&w.table, p->ticket);

	if (k && k->owner == p - w.rank && send_table(m))
		return true;
	p->ticket = 0; /* it has to drop it */
	return false;
}

static void add(struct message *m, struct interval i)
{
	message_add(m, bytes_copy((struct bytes){(u8 *)&i, sizeof(i)}));
}

static void add_results(struct message *m, const struct process *p)
{
	message_add(m, part_pack(p->page));
	message_add(m, replays_pack(p->page));
	add(m, p->todo);
}

static void finish(struct process *p)
{
	struct message m = {.kind = MESSAGE_DONE, .ticket = p->ticket, .number = {END_OVER}};

	add_results(&m, p);
	send_own(p, &m);
	p->ticket = 0;
}

static void give(struct process *p)
{
	struct message m = {.kind = MESSAGE_GAVE, .ticket = p->ticket};
	struct interval gift[2];
	u32 n = 0;

	while (n < 2 && p->todo.end - p->todo.next > 1 && draw(3)) {
		u32 from = p->todo.next + 1 + draw(p->todo.end - p->todo.next - 1);

		gift[n++] = (struct interval){from, p->todo.end};
		p->todo.end = from;
	}
	add_results(&m, p);
	for (u32 i = 0; i < n; i++)
		add(&m, gift[i]);
	send_own(p, &m);
}

static void begin(struct process *p)
{
	struct ticket *k = table_open(&w.table);

	if (!k)
		return;
	k->state = TICKET_RUNS;
	k->owner = (int)(p - w.rank);
	p->ticket = k->id;
	p->page = empty_page(p->page);
	p->todo = (struct interval){0, w.leaves};
	if (k->work.image.n)
		memcpy(&p->todo, k->work.image.at, sizeof(p->todo));
}

static void die_early(struct process *p)
{
	send_own(p,
		&(struct message){.kind = MESSAGE_DONE, .ticket = p->ticket, .number = {END_LOST}});
	p->ticket = 0;
}

static void lose(const struct process *p)
{
	const struct ticket *k = table_find(&w.table, p->ticket);

	if (k && k->owner == p - w.rank)
		send_table(&(struct message){.kind = MESSAGE_LOST, .ticket = p->ticket});
}

static void step(struct process *p)
{
	u32 what = draw(40);

	if (!p->ticket)
		begin(p);
	else if (what == 0)
		die_early(p);
	else if (what == 1) /* counts as dead, and goes on */
		lose(p);
	else if (what < 10)
		give(p);
	else if (p->todo.next == p->todo.end || !explore(p->page, p->todo.next++))
		finish(p);
}

/* A process finds that all of it is void. */
static void begin_again(struct process *p)
{
	if (!p->ticket ||
		!send_own(p, &(struct message){.kind = MESSAGE_AGAIN, .ticket = p->ticket}))
		return;
	p->page = empty_page(p->page);
	p->todo = (struct interval){0, w.leaves};
}

/* --- comparison ------------------------------------------------------------------------------- */

static void compare(const struct ticket_table *t)
{
	static struct status *whole, *sum;
	bool left;
	struct bytes page = table_sum(t, &left).page;

	whole = empty_page(whole);
	sum = empty_page(sum);
	sum->max_steps = 0;
	for (u32 i = 0; i < w.leaves && explore(whole, i); i++)
		;
	part_begin(sum);
	part_add(sum, page);
	CU_ASSERT_FALSE(left);
	CU_ASSERT_EQUAL(sum->executions, whole->executions);
	CU_ASSERT_EQUAL(sum->failing, whole->failing);
	CU_ASSERT_EQUAL_FATAL(sum->nfindings, whole->nfindings);
	for (u32 i = 0; i < sum->nfindings; i++) {
		CU_ASSERT_EQUAL(sum->findings[i].finding.line, whole->findings[i].finding.line);
		CU_ASSERT_EQUAL(sum->findings[i].execution, whole->findings[i].execution);
	}
}

static void search(u32 seed)
{
	const u32 rare = 1 + seed % 7 * 20;

	prng_seed(&w.random, seed);
	w.leaves = 1 + draw(LEAVES);
	w.keep_going = seed % 2;
	for (u32 i = 0; i < w.leaves; i++)
		w.fails[i] = draw(rare) ? 0 : 1 + draw(3);
	w.table = w.copy = (struct ticket_table){.failures = w.keep_going ? 10 : 1};
	for (u32 r = 0; r < RANKS; r++)
		w.rank[r].ticket = 0;
	send_table(&(struct message){.kind = MESSAGE_NEW, .number = {WORK_GRAPHS}});
	while (!table_cut(&w.table) && table_is_busy(&w.table)) {
		u32 slow = draw(RANKS);

		step(&w.rank[slow * draw(2)]);
		step(&w.rank[draw(RANKS)]);
		if (!draw(4 * w.leaves))
			begin_again(&w.rank[slow]);
	}
	compare(&w.table);
	table_cut(&w.copy);
	compare(&w.copy);
}

static void test_random_searches(void)
{
	for (u32 seed = 1; seed <= unit_count(300); seed++)
		search(seed);
}

/* Neighbours that are done become one. */
static void test_size(void)
{
	u32 n = 0;

	search(1);
	for (const struct ticket *k = w.table.first; k; k = k->next)
		n++;
	CU_ASSERT_EQUAL(n, 1);
}

static void test_broken_messages(void)
{
	struct message m = {.kind = MESSAGE_GAVE}, to;
	struct bytes all;

	message_add_text(&m, "twelve bytes");
	all = message_write(&m);
	CU_ASSERT_TRUE(message_read(&to, all));
	CU_ASSERT_STRING_EQUAL(message_text(&to, 0), "twelve bytes");
	for (size_t n = 0; n < all.n; n++)
		CU_ASSERT_FALSE(message_read(&to, (struct bytes){all.at, n}));
	memset(all.at, 0xff, sizeof(u32));
	CU_ASSERT_FALSE(message_read(&to, all));
}

/* Outcomes with names in another order. */
static void test_outcomes(void)
{
	static struct status *a, *b, *sum;
	struct part_sum both;

	a = empty_page(a);
	b = empty_page(b);
	sum = empty_page(sum);
	sum->max_steps = 0;
	a->outcomes = (struct status_outcomes){.nnames = 2, .n = 1, .name = {"x", "y"}};
	a->outcomes.row[0] = (struct status_outcome){3, 3, 0, {1, 2}};
	b->outcomes = (struct status_outcomes){.nnames = 2, .n = 2, .name = {"y", "x"}};
	b->outcomes.row[0] = (struct status_outcome){5, 3, 0, {2, 1}};
	b->outcomes.row[1] = (struct status_outcome){9, 1, 0, {2, 0}};
	both = part_unite(part_pack(a), replays_pack(a), part_pack(b), replays_pack(b));
	part_begin(sum);
	part_add(sum, both.page);
	CU_ASSERT_EQUAL(sum->outcomes.n, 2);
	CU_ASSERT_EQUAL(sum->outcomes.row[0].executions, 9);
	CU_ASSERT_EQUAL(sum->outcomes.row[0].has, 2);
	CU_ASSERT_EQUAL(sum->outcomes.row[0].value[1], 2);
	CU_ASSERT_EQUAL(sum->outcomes.row[1].executions, 8);
}

const struct unit_test tickets_tests[] = {
	{"random searches", test_random_searches},
	{"size", test_size},
	{"broken messages", test_broken_messages},
	{"outcomes", test_outcomes},
	{NULL, NULL},
};
