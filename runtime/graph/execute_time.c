/* SPDX-License-Identifier: ISC */
/* execute_time.c - virtual time while a graph is followed: clocks; with --sleepers last, sleeps
 * (trust/trust_time.c). */
#include "graph/execute_priv.h"
#include "machine/wait/vtime.h"
#include "process/coverage.h"

void execute_time_passed(struct thread *t, const struct label *l, u64 now)
{
	t->waited = now > t->tally.now ? now - t->tally.now : 0;
	t->late = l->type != LABEL_TIME;
	if (now > t->tally.now)
		t->tally.now = now;
}

void execute_sleep(u64 deadline)
{
	struct label l = {.type = LABEL_TIME, .value = deadline};
	const struct label never = {.type = LABEL_SPIN};
	bool for_ever;

	X.begun = true;
	execute_note_interrupts(&l);
	if (!loop_state_sleeps(&X.f[M.cur->slot].loops, &for_ever))
		execute_step(&l);
	else if (for_ever)
		execute_step(&never); /* does not return */
	execute_wipe();
}

static bool is_reading(u32 e)
{
	return X.g->event[e].type == LABEL_CLOCK &&
	       X.cache->node[X.g->event[e].node].label.expected;
}

/* Has another thread read a clock, unordered with the last event that t has passed? */
static bool others_read(const struct thread *t)
{
	u32 e = X.g->thread[t->slot].last;

	while (X.g->event[e].index > X.f[t->slot].passed)
		e = X.g->event[e].po_prev;
	for (u32 i = 1; i <= X.g->n && is_reading(e); i++)
		if (is_reading(i) && !clock_has(X.g, graph_cause(X.g, e), i) &&
			!clock_has(X.g, graph_cause(X.g, i), e))
			return true;
	return false;
}

static void pass_clock(const struct label *l)
{
	struct follower *f = &X.f[M.cur->slot];
	u64 now;

	f->ticked = false;
	now = execute_step(l).value;
	f->looked = f->steps;
	if (others_read(M.cur))
		coverage_note("readings of clocks that nothing orders were explored in one order "
			      "(--strategy mixed: in others)");
	if (now > M.cur->tally.now)
		M.cur->tally.now = now;
	execute_wipe();
}

/* Repeated reads of a clock are one event, before the thread's next step. */
void execute_tick(void)
{
	const struct label l = {.type = LABEL_CLOCK, .value = M.cur->tally.now};

	if (unlikely(X.f[M.cur->slot].ticked))
		pass_clock(&l);
}

/* A thread that comes after this one must not read an earlier time, and this thread has slept as
 * long as one that woke it. A sleep that may end at any time does not read a clock itself, but
 * other threads may. */
void execute_look(u64 takes)
{
	const struct label l = {
		.type = LABEL_CLOCK, .value = M.cur->tally.now, .expected = takes};
	struct follower *f = &X.f[M.cur->slot];
	bool last = M.options->sleepers == SLEEPERS_LAST;

	if (!X.begun || M.nthreads == 1)
		return;
	if (!takes && !last)
		f->ticked |= X.places->clock;
	else if (f->looked == f->steps)
		f->ticked |= takes != 0;
	else
		pass_clock(&l);
}
