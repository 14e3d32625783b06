/* SPDX-License-Identifier: ISC */
/* t_rf.c - RF-SMC at its limits: no more time, a small cache, no room for proposals, instances that
 * are too hard. */
#include "rf/rf_priv.h"

#include "unit.h"

#include <string.h>
#include <sys/mman.h>

#define WAITERS 60
#define ROUNDS	520

static struct trust x;
static struct rf rf;
static u32 waiters, rounds; /* of the program */
static bool blocked_read;	    /* the others wait for a write that never comes */
static u32 leaves, asked, most;

/* Main creates all. Threads 1 and 2 take turns in counting a number, the others wait for the
 * end. */
static void count_up(const struct graph *g, u32 t, u32 n, struct label *out)
{
	const struct gevent *last = &g->event[g->thread[t].last];
	u64 next = 2 * ((n - 1) / 2) + t - 1; /* the value that thread 1 or 2 has to see */

	*out = (struct label){.type = LABEL_READ, .size = 8,
		.loc = place_intern(g->places, 0x1000, 8, 0)};
	if (last->flags & E_WAIT)
		return;
	if (t > 2 && n == 2)
		out->type = last->value == 2 * rounds + blocked_read ? LABEL_END : LABEL_SPIN;
	else if (n > 2 * rounds)
		out->type = LABEL_END;
	else if (t <= 2 && n % 2 == 0)
		out->type = last->value == next ? LABEL_WRITE : LABEL_SPIN;
	out->value = out->type == LABEL_WRITE ? next + 1 : out->type == LABEL_SPIN;
}

static enum answer next(struct program *p, struct graph *g, u32 t, struct label *out)
{
	u32 n = 0;

	for (u32 e = g->thread[t].first; e; e = g->event[e].po_next)
		n += !(g->event[e].flags & E_WAIT);
	if (!t)
		*out = (struct label){.type = n < waiters + 2 ? LABEL_CREATE : LABEL_END,
			.other = (u16)(n + 1)};
	else if (!n)
		*out = (struct label){.type = LABEL_START};
	else
		count_up(g, t, n, out);
	return ANSWER_LABEL;
}

static bool leaf(struct program *p, const struct graph *g, enum leaf how, u32 t, u32 other)
{
	leaves++;
	return !blocked_read;
}

static bool enough(struct program *p)
{
	return ++asked > most;
}

/* The limits of the search. */
static struct {
	u32 nodes, questions, arena;
	u64 budget;
} few;

static void search(u32 nwaiters, u32 nrounds)
{
	static const volatile bool up = true; /* enough() is called each time */
	static struct program program = {.next = next, .leaf = leaf, .enough = enough, .up = &up};
	void *memory = mmap(NULL, TRUST_MEMORY, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	CU_ASSERT_FATAL(memory != MAP_FAILED);
	waiters = nwaiters;
	rounds = nrounds;
	most = few.questions ? few.questions - 1 : UINT32_MAX;
	asked = leaves = 0;
	trust_init(&x, memory, TRUST_MEMORY, MODEL_SC, &program);
	x.cache.max = few.nodes ? few.nodes : CACHE_NODES;
	rf_init(&rf, &x);
	rf.priv->arena_size = few.arena ? few.arena : rf.priv->arena_size;
	rf.priv->verify.budget = few.budget;
	rf.priv->verify.way = few.budget ? VERIFY_NO_PROBE | VERIFY_NO_CLOSURE : 0;
	if (blocked_read)
		trust_run(&x);
	else
		rf_run(&rf);
	memset(&few, 0, sizeof few);
	munmap(memory, TRUST_MEMORY);
}

static void all_of_it(void)
{
	search(1, 2);
	CU_ASSERT_TRUE(x.over);
	CU_ASSERT_EQUAL(x.complete, 1);
	CU_ASSERT_EQUAL(x.bounded, 0);
	CU_ASSERT_TRUE(asked > 2);
}

static void no_more_time(void)
{
	few.questions = 3;
	search(1, 2);
	CU_ASSERT_FALSE(x.over);
	CU_ASSERT_EQUAL(x.answer, ANSWER_STOP);
	CU_ASSERT_EQUAL(asked, 3);
	CU_ASSERT_EQUAL(rf.asked, 2);
}

/* Each waiter reads each number: more nodes than the cache has room for. */
static void one_execution_fills_the_cache(void)
{
	few.nodes = 31000;
	few.questions = 1;
	search(WAITERS, ROUNDS);
	CU_ASSERT_EQUAL(leaves, 1);
	CU_ASSERT_EQUAL(x.complete, 1);
	CU_ASSERT_EQUAL(x.answer, ANSWER_STOP);
}

/* The same under graph.h: when no thread can move, each waiter tries all earlier writes, in one
 * step. */
static void one_step_fills_the_cache(void)
{
	few.nodes = 9000;
	blocked_read = true;
	search(20, 250);
	blocked_read = false;
	CU_ASSERT_EQUAL(leaves, 1);
	CU_ASSERT_EQUAL(x.blocked, 1);
	CU_ASSERT_EQUAL(x.answer, ANSWER_STOP);
}

static void no_room_for_proposals(void)
{
	few.arena = 3;
	search(1, 2);
	CU_ASSERT_TRUE(x.over);
	CU_ASSERT_EQUAL(x.bounded, TRUST_ROOM);
}

static void questions_too_hard(void)
{
	few.budget = 1;
	search(1, 2);
	CU_ASSERT_TRUE(x.over);
	CU_ASSERT_EQUAL(x.bounded, TRUST_HARD);
	CU_ASSERT_TRUE(rf.undecided > 0);
}

const struct unit_test rf_tests[] = {
	{"all of a small program", all_of_it},
	{"no more questions when there is no more time", no_more_time},
	{"an execution that fills the cache", one_execution_fills_the_cache},
	{"a step that fills the cache", one_step_fills_the_cache},
	{"no room for proposals", no_room_for_proposals},
	{"questions that are too hard", questions_too_hard},
	{NULL, NULL},
};
