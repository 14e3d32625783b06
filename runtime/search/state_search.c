/* SPDX-License-Identifier: ISC */
/* state_search.c - see state_search.h. */
#include "search/state_search.h"
#include "failure/repeat.h"
#include "buffers/buffers.h"
#include "cycle/state_cycle.h"
#include "machine/execution/clock.h"
#include "machine/core.h"
#include "machine/learnt.h"
#include "machine/wait/vtime.h"
#include "process/module.h"
#include "process/stack.h"
#include "prove/differ.h"
#include "prove/state.h"
#include "prove/states.h"
#include "prove/unbounded.h"
#include "prove/waits.h"
#include "search/outcome/outcome.h"
#include "search/schedule/account.h"
#include "search/limit/bound.h"

#include <stdio.h>

#define SPARE_STEPS  1000
#define DIFFER_LEAST 8 /* values, to be named */

static const struct strategy_ops *ops;

static void begin_states(void)
{
	explore_start(&M.explore, ops, M.options, M.status->choices, STATUS_CHOICES,
		&M.status->nchoices);
}

/* States cannot be compared: `limit' is the reason. */
static void refuse_states(const char *limit)
{
	snprintf(M.status->note, sizeof M.status->note,
		"strategy states: %s: `heddle run' explores such a program", limit);
	M.status->state = STATUS_REFUSED;
	M.outcome = OUTCOME_REFUSE;
}

static bool is_search_over(void)
{
	if (clock_is_up)
		M.bounds |= clock_bound();
	else if (M.options->executions && M.status->executions >= M.options->executions)
		M.bounds |= BOUND_EXECUTIONS;
	else
		return false;
	return true;
}

/* The execution has ended, not only been cut at a state. False: stop. */
static bool account_end(void)
{
	if (ops == &strategy_states)
		states_note_end();
	return account_execution();
}

static bool run_to_states(void)
{
	while (!is_search_over()) {
		if (!explore_next(&M.explore))
			return !states.full;
		run_execution();
		if (unlikely(learnt_changed)) {
			learnt_adopt();
			outcome_clear();
			begin_states();
			continue;
		}
		if (unlikely(states.limit)) {
			refuse_states(states.limit);
			return false;
		}
		if (unlikely(vtime_looks && !state_has_time && M.outcome != OUTCOME_FAIL)) {
			state_has_time = true;
			outcome_clear();
			begin_states();
			continue;
		}
		M.status->states = states.nstates;
		if (!states.cut && !account_end())
			return false;
	}
	return false;
}

/* --- threads that wait for ever --------------------------------------------------------------- */

/* Follow these choices, which are of about so many steps. Later steps may be no choices. */
static void follow_for(u32 *choices, u32 n, u32 steps)
{
	u32 most = M.max_steps, bounds = M.bounds;

	M.max_steps = 2 * steps + SPARE_STEPS;
	repeat_execution(choices, n, false);
	M.max_steps = most;
	M.bounds = bounds;
	M.explore.diverged = false;
}

/* Is the thread, at that node, at an operation that is neither its end nor a join? */
static bool is_waiting_at(u32 node, u16 thread)
{
	u32 n = node == NODE_NONE ? NODE_NONE
				  : states_path(node, repeat_choices(), STATUS_CHOICES);
	const struct thread *t;

	if (n == NODE_NONE)
		return false;
	follow_for(repeat_choices(), n, states_depth(node));
	t = &M.thread[M.created[thread]];
	return thread < M.nthreads && !t->finished && t->op && t->op->kind != EV_JOIN;
}

/* Report it as the execution that repeats itself. False: it is not confirmed. */
static bool report_wait(const struct waits *w)
{
	u64 failing = M.status->failing, blocked = M.status->blocked;
	u32 bounds = M.bounds;

	follow_for(M.explore.log, w->n, w->steps);
	M.explore.nlog = w->n;
	M.outcome = OUTCOME_FAIL;
	M.finding = (struct finding){.kind = FINDING_LIVELOCK, .repeats = 1};
	account_execution();
	M.bounds = bounds | (M.bounds & BOUND_FINDING);
	M.status->blocked = blocked;
	return M.status->failing != failing;
}

/* False: a thread may wait, but that is not known. */
static bool find_waits(void)
{
	u64 wanted = M.options->detect & (DETECT_LIVELOCK | DETECT_STARVATION);
	struct waits w;
	bool shown = waits_find(&w, M.explore.log, M.explore.maxlog, is_waiting_at);

	M.status->loops = w.loops;
	if (!w.found || !wanted)
		return w.found || shown;
	if (shown && report_wait(&w))
		return true;
	if (!shown || wanted & DETECT_STARVATION)
		coverage_note("a thread may wait for ever: no short execution shows it");
	return wanted == DETECT_LIVELOCK && shown; /* others make progress: only noted */
}

/* --- states without end ----------------------------------------------------------------------- */

/* Name the memory that differs most. */
static void name_difference(void)
{
	u32 nodes[DIFFER_STATES], n = differ_choose(nodes), values;
	const struct module *m;
	u64 address;

	differ_begin();
	for (u32 i = 0; i < n; i++) {
		u32 path = states_path(nodes[i], repeat_choices(), STATUS_CHOICES);

		if (path == NODE_NONE)
			continue;
		follow_for(repeat_choices(), path, states_depth(nodes[i]));
		differ_see();
	}
	address = differ_end(&values);
	if (values < DIFFER_LEAST)
		return;
	m = module_find(address);
	if (m)
		snprintf(M.status->held, sizeof M.status->held,
			"%s+0x%llx has at least %u values at the same places", m->path,
			(unsigned long long)(address - m->base), values);
	else
		snprintf(M.status->held, sizeof M.status->held,
			"memory at 0x%llx has at least %u values at the same places",
			(unsigned long long)address, values);
}

/* --- both searches ---------------------------------------------------------------------------- */

/* All that failed is that a buffer was full. */
static bool was_full_only(void)
{
	return M.options->unbounded && M.bounds & BOUND_BUFFER &&
	       !(M.bounds & (BOUNDS_INCOMPLETE | BOUNDS_STOPPING) & ~(u32)BOUND_BUFFER) &&
	       !M.status->nfindings && M.outcome != OUTCOME_REFUSE;
}

static bool search_unbounded(void)
{
	u32 size = M.buffer_size;
	bool all;

	M.bounds &= ~(u32)BOUND_BUFFER;
	M.status->boundless = true;
	M.buffer_size = BUFFER_MAX;
	engine_step_all(true);
	ops = &strategy_unbounded;
	begin_states();
	all = run_to_states();
	engine_step_all(false);
	M.buffer_size = size;
	M.status->loops = unbounded_loops();
	if (!all)
		M.bounds |= BOUND_BUFFER;
	if (all && M.options->detect & (DETECT_LIVELOCK | DETECT_STARVATION))
		coverage_note("store buffers have no bound here: of threads that wait for ever, "
			      "only deadlocks were looked for");
	return all;
}

static bool search_bounded(void)
{
	bool all;

	ops = &strategy_states;
	begin_states();
	all = run_to_states();
	if (all && !find_waits()) {
		states.full = true;
		all = false;
	}
	return all;
}

bool state_search(void)
{
	bool all;

	if (!stack_init()) {
		refuse_states("libunwind.so.8 cannot be loaded");
		return false;
	}
	M.status->boundless = false;
	M.sampling = M.private = state_has_time = false;
	M.max_steps = M.status->max_steps = STATUS_CHOICES - 1;
	M.explore.cut = M.explore.skips = 0;
	M.status->strategy = STRATEGY_STATES;
	machine_compares = true;
	pending_want(PENDING_FOR_STRATEGY, true);
	state_cycle_after = M.max_steps;
	all = search_bounded();
	if (all && was_full_only())
		all = search_unbounded();
	machine_compares = false;
	pending_want(PENDING_FOR_STRATEGY, false);
	if (!all && ops == &strategy_states && M.bounds & (BOUND_TIME | BOUND_STEPS))
		name_difference();
	state_cycle_after = STATE_CYCLE_STEPS;
	if (states.full)
		M.bounds |= BOUND_ROOM;
	return all;
}
