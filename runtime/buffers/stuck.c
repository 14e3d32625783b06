/* SPDX-License-Identifier: ISC */
/*
 * stuck.c - no agent is left: a timed wait times out, the program ends, or is reported.
 *
 * Stores in buffers are agents, so when none is left every buffer is empty.
 */
#include "buffers/sched.h"
#include "machine/execution/loop_bound.h"
#include "machine/wait/vtime.h"
#include "detect/stuck.h"

/* Let a timed wait end: which one is a choice. */
static bool wait_ends(void)
{
	u32 n = 0, which;

	for (u32 i = 0; i < M.nthreads; i++)
		n += M.thread[M.created[i]].may_time_out;
	if (!n)
		return false;
	which = machine_choose(n, CHOICE_TIMEOUT);
	for (u32 i = 0; i < M.nthreads; i++) {
		struct thread *t = &M.thread[M.created[i]];

		if (!t->may_time_out || which--)
			continue;
		t->may_time_out = false;
		sched_of(t)->timed_out = true;
		thread_update(t);
		return true;
	}
	return false;
}

/* --sleepers last: advance the time to the first deadline of a waiting thread. */
static bool time_passes(void)
{
	u64 now = vtime_after(0), first = UINT64_MAX;

	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];

		if ((t->asleep || t->may_time_out) && t->deadline < first)
			first = t->deadline;
	}
	if (first == UINT64_MAX)
		return false;
	vtime_reach(first);
	for (u32 i = 0; i < M.nthreads; i++) {
		struct thread *t = &M.thread[M.created[i]];

		if (!(t->asleep || t->may_time_out) || t->deadline > first)
			continue;
		sched_of(t)->timed_out = t->may_time_out;
		t->waited = vtime_after(0) - now;
		t->asleep = t->may_time_out = false;
		thread_update(t);
	}
	return true;
}

void stuck(void)
{
	static struct wait waits[THREADS_MAX];
	u32 n;

	if (!M.nlive) {
		M.exit_status = 0;
		execution_end(OUTCOME_EXIT);
	}
	if (M.options->sleepers == SLEEPERS_LAST ? time_passes() : wait_ends())
		return;
	n = stuck_waits(waits);
	M.finding = (struct finding){0};
	stuck_describe(waits, n, &M.finding);
	if (M.finding.kind == FINDING_LIVELOCK && !(M.options->detect & DETECT_LIVELOCK))
		execution_end(loop_bound_on ? OUTCOME_CUT : OUTCOME_STUCK);
	stuck_show(waits, n, thread_show);
	execution_end(OUTCOME_FAIL);
}
