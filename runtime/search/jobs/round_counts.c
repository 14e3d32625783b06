/* SPDX-License-Identifier: ISC */
/* round_counts.c - see round_counts.h. */
#include "search/jobs/round_counts.h"
#include "machine/core.h"
#include "process/shared.h"
#include "search/jobs/worker.h"

#include <string.h>

static struct round_counts {
	u32 first;
	volatile u32 most; /* rounds that may have counted */
	struct figures of[ROUNDS_COUNTED];
} *counts; /* in shared memory */

static struct figures entered; /* own figures */
static struct {
	u32 n; /* rounds below it are in the sum */
	struct figures sum;
} passed;

struct figures figures_own(void)
{
	const struct status *s = worker_own();

	return (struct figures){s->executions, s->blocked, s->cut, s->failing, s->steps,
		M.bounds};
}

void figures_show(const struct figures *f)
{
	struct status *s = M.status;

	s->executions = f->executions;
	s->blocked = f->blocked;
	s->cut = f->cut;
	s->failing = f->failing;
	s->steps = f->steps;
}

void figures_add(struct figures *to, const struct figures *more)
{
	to->executions += more->executions;
	to->blocked += more->blocked;
	to->cut += more->cut;
	to->failing += more->failing;
	to->steps += more->steps;
	to->bounds |= more->bounds;
}

bool round_counts_begin(u32 first)
{
	if (!counts)
		counts = shared_pages(sizeof *counts);
	if (!counts)
		return false;
	memset(counts->of, 0, counts->most * sizeof *counts->of);
	counts->first = first;
	counts->most = 0;
	memset(&passed, 0, sizeof passed);
	return true;
}

static u32 index_of(u32 round)
{
	u32 i = round - counts->first;

	return i < ROUNDS_COUNTED ? i : ROUNDS_COUNTED - 1;
}

void round_counts_enter(void)
{
	entered = figures_own();
}

void round_counts_leave(u32 round)
{
	struct figures now = figures_own(), *to = &counts->of[index_of(round)];
	u32 most = counts->most;

	to->executions += now.executions - entered.executions;
	to->blocked += now.blocked - entered.blocked;
	to->cut += now.cut - entered.cut;
	to->failing += now.failing - entered.failing;
	to->steps += now.steps - entered.steps;
	to->bounds |= now.bounds;
	entered = now;
	while (most <= index_of(round) &&
		!__atomic_compare_exchange_n(&counts->most, &most, index_of(round) + 1, false,
			__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		;
}

u64 round_counts_executions(void)
{
	return entered.executions;
}

struct figures round_counts_below(u32 round, struct figures sum)
{
	for (u32 i = 0; i < index_of(round); i++)
		figures_add(&sum, &counts->of[i]);
	return sum;
}

struct figures round_counts_until(u32 round, struct figures sum)
{
	sum = round_counts_below(round, sum);
	figures_add(&sum, &counts->of[index_of(round)]);
	return sum;
}

bool round_counts_reach(u64 executions, u32 end, const struct figures *before, u32 *round)
{
	u32 n = index_of(end) < counts->most ? index_of(end) : counts->most;

	for (; passed.n < n; passed.n++) {
		struct figures sum = passed.sum;

		figures_add(&sum, &counts->of[passed.n]);
		*round = counts->first + passed.n;
		if (before->executions + before->blocked + sum.executions + sum.blocked >=
			executions)
			return true;
		passed.sum = sum;
	}
	return false;
}
