/* SPDX-License-Identifier: ISC */
/* lockfree.c - atomics without locks: loops of compare-and-exchange, a stack, a sequence lock,
 * claims. */
#include "ordinary.h"

#include <stdlib.h>

/* --- loops of compare-and-exchange ------------------------------------------------------------ */

struct sum {
	atomic_int n, failed;
};

static void cas_work(const struct part *p, void *state, int me)
{
	struct sum *s = state;
	bool weak = p->pick[0] % 2, counts = p->pick[0] & 2;

	for (int i = 0; i < p->rounds; i++) {
		int n = look(&s->n, memory_order_relaxed), failed = 0;

		if (p->weak == 1 && !me) {
			put(&s->n, n + 1, memory_order_relaxed);
		} else if (counts) {
			while (!change(&s->n, &n, n + 1, both_or(p, NEVER), weak))
				failed++;
			if (failed)
				add(&s->failed, failed, memory_order_relaxed);
		} else {
			while (!change(&s->n, &n, n + 1, both_or(p, NEVER), weak)) {
			}
		}
	}
}

static void cas_end(const struct part *p, void *state)
{
	struct sum *s = state;

	check(look(&s->n, memory_order_relaxed) == p->users * p->rounds);
}

static bool cas_endless(const struct part *p)
{
	return p->pick[0] % 4 == 3;
}

static const char *const cas_way[] = {"cas:strong", "cas:weak", "cas:strong", "cas:count-weak"};

const struct idiom cas_idiom = {.name = "cas",
	.least = 2,
	.most = 3,
	.costs = {10, 50, 100},
	.work = cas_work,
	.endless = cas_endless,
	.ways = cas_way,
	.nways = 4,
	.end = cas_end,
	.weakness = {{0}, {"one thread counts by a load and a store", ALL_MODELS(FAILURE)}}};

/* --- a stack ---------------------------------------------------------------------------------- */

struct stack {
	atomic_int first; /* number of a node, 0: none */
	int next[8], value[8];
};

/* Thread 0 pushes, others take one each. */
static void stack_work(const struct part *p, void *state, int me)
{
	struct stack *s = state;
	int first;

	if (!me) {
		for (int i = 1; i < p->users; i++) {
			first = look(&s->first, memory_order_relaxed);
			s->value[i] = 10 * i;
			do
				s->next[i] = first;
			while (!change(&s->first, &first, i, both_or(p, 1), p->pick[0] % 2));
		}
		return;
	}
	first = look(&s->first, acquire_or(p, 2));
	while (!first ||
		!change(&s->first, &first, s->next[first], both_or(p, 2), p->pick[0] % 2)) {
		if (p->pick[1] % 2)
			sched_yield();
		first = look(&s->first, acquire_or(p, 2));
	}
	check(s->value[first] == 10 * first);
	s->value[first]++;
}

static void stack_end(const struct part *p, void *state)
{
	struct stack *s = state;

	check(!look(&s->first, memory_order_relaxed));
	for (int i = 1; i < p->users; i++)
		check(s->value[i] == 10 * i + 1);
}

const struct idiom stack_idiom = {.name = "stack",
	.least = 2,
	.most = 3,
	.costs = {8, 17, 1600},
	.work = stack_work,
	.end = stack_end,
	.weakness = {{0}, {"a node is pushed by a relaxed operation", NO_ACQUIRE(RACE)},
		{"a node is taken by relaxed operations", NO_ACQUIRE(RACE)}}};

/* --- a sequence lock -------------------------------------------------------------------------- */

struct seqlock {
	atomic_int sequence, a, b;
};

static void seqlock_write(const struct part *p, struct seqlock *s, int v)
{
	int sequence = look(&s->sequence, memory_order_relaxed);

	put(&s->sequence, sequence + 1, memory_order_relaxed);
	if (p->weak != 1)
		atomic_thread_fence(memory_order_release);
	put(&s->a, v, memory_order_relaxed);
	put(&s->b, v, memory_order_relaxed);
	put(&s->sequence, sequence + 2, release_or(p, 3));
}

static bool seqlock_read(const struct part *p, struct seqlock *s)
{
	int before = look(&s->sequence, acquire_or(p, NEVER)), a, b;

	if (before & 1)
		return false;
	a = look(&s->a, memory_order_relaxed);
	b = look(&s->b, memory_order_relaxed);
	if (p->weak != 2)
		atomic_thread_fence(memory_order_acquire);
	if (look(&s->sequence, memory_order_relaxed) != before)
		return false;
	check(a == b && a == before / 2);
	return true;
}

static void seqlock_work(const struct part *p, void *state, int me)
{
	struct seqlock *s = state;

	if (!me)
		for (int i = 1; i <= p->rounds; i++)
			seqlock_write(p, s, i);
	else if (p->pick[0] % 3 == 0)
		for (int i = 0; i < 2 && !seqlock_read(p, s); i++) {
		}
	else
		while (!seqlock_read(p, s))
			if (p->pick[0] % 3 == 1)
				sched_yield();
}

static void seqlock_end(const struct part *p, void *state)
{
	struct seqlock *s = state;

	check(seqlock_read(p, s));
}

const struct idiom seqlock_idiom = {.name = "seqlock",
	.least = 2,
	.most = 2,
	.costs = {20, 60, 0},
	.work = seqlock_work,
	.end = seqlock_end,
	.weakness = {{0}, {"the writer has no release fence", NO_RELEASE(FAILURE)},
		{"the reader has no acquire fence", NO_ACQUIRE(FAILURE)},
		{"the writer's last store is relaxed", NO_RELEASE(FAILURE)}}};

/* --- each thread announces itself, and looks whether another has come ------------------------- */

struct claims {
	atomic_int claim[2];
	int inside;
};

static void claims_work(const struct part *p, void *state, int me)
{
	struct claims *c = state;
	memory_order order =
		p->weak || p->pick[0] % 2 ? memory_order_relaxed : memory_order_seq_cst;

	put(&c->claim[me], 1, order);
	if (p->weak != 1 && order == memory_order_relaxed)
		atomic_thread_fence(memory_order_seq_cst);
	if (!look(&c->claim[1 - me], order))
		c->inside++;
}

static void claims_end(const struct part *p, void *state)
{
	struct claims *c = state;

	(void)p;
	check(c->inside <= 1);
}

const struct idiom claims_idiom = {.name = "claims",
	.least = 2,
	.most = 2,
	.costs = {14, 14, 0},
	.work = claims_work,
	.end = claims_end,
	.without_sc = RACE,
	.weakness = {{0}, {"there is no seq_cst", NO_FENCE(RACE)}}};
