/* SPDX-License-Identifier: ISC */
/* engine.c - store buffers as an engine (machine/engine.h), and one execution on them. */
#include "buffers/access.h"
#include "buffers/buffers.h"
#include "buffers/private.h"
#include "buffers/race.h"
#include "buffers/sched.h"
#include "buffers/trace_note.h"
#include "buffers/visible.h"
#include "machine/execution/execution.h"
#include "machine/execution/loop_bound.h"
#include "heap/heap.h"
#include "heap/stack_check.h"
#include "history/history.h"
#include "heap/leak.h"
#include "machine/observer/lock_order.h"
#include "cycle/state_cycle.h"
#include "machine/wait/sync_events.h"
#include "machine/observer/unjoined.h"

void run_execution(void)
{
	heap_restore();
	stack_check_execution();
	if (unlikely(M.private))
		private_begin();
	execution_prepare();
	state_cycle_begin();
	M.in_execution = true;
	machine_exploring = machine_compares ? EXPLORING | EXPLORING_COMPARED : EXPLORING;
	__heddle_turns = loop_bound_on;
	fiber_switch(&M.scheduler, &M.cur->fiber);
	machine_exploring = __heddle_turns = 0;
	if (unlikely(private_on))
		private_end();
	if (unlikely(races_spoil)) {
		if (M.outcome != OUTCOME_STOPPED && M.outcome != OUTCOME_REFUSE)
			M.outcome = OUTCOME_ABANDON;
		races_spoil = false;
	}
	if (M.outcome == OUTCOME_EXIT &&
		(history_fails(&M.finding) || lock_order_fails(&M.finding)))
		M.outcome = OUTCOME_FAIL;
	execution_over();
}

static bool choose_operation(enum label_choice what, u32 call, u64 value)
{
	if (unlikely(M.driver && M.driver->operation))
		M.driver->operation();
	if (unlikely(traces_noted || trace_states_only) && what == LABEL_OBSERVED)
		trace_note_value(prng_mix(call) ^ value);
	return false;
}

static void buffers_note_alloc(const void *p, size_t size, const void *caller)
{
	if (unlikely(M.options->reuse != REUSE_NEVER) && private_on)
		private_forget((u64)(uintptr_t)p, size);
	sync_event(EV_MALLOC, p, size, 0);
}

static void buffers_note_free(const void *p, const void *caller)
{
	private_free((u64)(uintptr_t)p, heap_size(p));
	sync_event(EV_FREE, p, 0, 0);
}

static bool orders_frees(void)
{
	return false;
}

static bool is_concurrent(void)
{
	return !M.alone;
}

/* All accesses are steps. */
static bool keeps_private(u64 addr, u32 size)
{
	return false;
}

static void check_left(void)
{
	if (M.options->detect & DETECT_THREADS)
		unjoined_check();
	if (M.options->detect & DETECT_LEAK)
		leak_check();
}

static _Noreturn void end_execution(enum outcome outcome)
{
	struct fiber gone;

	/* Other threads run first: they may fail because of this thread's earlier steps. */
	if ((outcome == OUTCOME_ABANDON || outcome == OUTCOME_CUT) && !M.alone)
		arrive(M.cur);
	M.outcome = outcome;
	M.in_execution = false;
	fiber_switch(&gone, &M.scheduler);
	__builtin_unreachable();
}

static _Noreturn void restart_execution(void)
{
	end_execution(OUTCOME_STOPPED);
}

/* Such code reads memory directly, so it finds an empty buffer, which the processor does not
 * promise. */
static void note_foreign_call(void)
{
	if (!M.alone && !buffer_empty(&sched_of(M.cur)->buffer))
		M.bounds |= BOUND_FOREIGN;
}

/* The time depends on all that has happened. */
static void note_look(u64 takes)
{
	(void)takes;
	if (unlikely(traces_noted))
		trace_step_any(M.cur->slot);
}

static void pass_foreign_call(
	const struct module *m, u64 site, u64 sp, const struct foreign_range *range)
{
	(void)range;
	(void)m;
	(void)site;
	(void)sp;
	if (unlikely(traces_noted))
		trace_step_any(M.cur->slot);
}

#define OPERATIONS \
	.foreign_begins = note_foreign_call, \
	.foreign_call = pass_foreign_call, \
	.fast = true, \
	.schedules = true, \
	.load = buffers_load, \
	.store = buffers_store, \
	.rmw = buffers_rmw, \
	.fence = buffers_fence, \
	.fence_all = buffers_fence_all, \
	.drain = buffers_drain, \
	.read = buffers_read, \
	.write = buffers_write, \
	.fill = buffers_fill, \
	.announce = buffers_announce, \
	.stored = buffers_stored, \
	.sync_timed = buffers_sync_timed, \
	.sync_failed = buffers_sync_failed, \
	.sync_changed = buffers_sync_changed, \
	.yield = buffers_yield, \
	.sleep = buffers_sleep, \
	.await = buffers_await, \
	.progress = buffers_progress, \
	.variable = stack_check_variable, \
	.frame_leave = buffers_frame_leave, \
	.choose = buffers_choose, \
	.operation = choose_operation, \
	.look = note_look, \
	.thread_new = buffers_thread_new, \
	.thread_created = buffers_thread_created, \
	.thread_exit = buffers_thread_exit, \
	.thread_join = buffers_thread_join, \
	.alloc = buffers_note_alloc, \
	.free = buffers_note_free, \
	.orders_frees = orders_frees, \
	.enabled = sched_enabled, \
	.settled = sched_settled, \
	.stores = buffers_stores, \
	.overlaps_store = buffers_overlaps_store, \
	.begin = sched_begin, \
	.begun = is_concurrent, \
	.keeps_private = keeps_private, \
	.finish = check_left, \
	.learnt = restart_execution, \
	.end = end_execution

const struct engine buffers_engine = {
	OPERATIONS,
	.cas = buffers_cas,
	.sync = buffers_sync,
	.sync_limited = buffers_sync_limited,
	.sync_until = buffers_sync_until,
	.sync_woken_late = buffers_sync_woken_late,
	.sync_join = buffers_sync_join,
	.sync_one_step = buffers_sync_one_step,
	.sync_then = buffers_sync_then,
	.sync_then_ready = buffers_sync_then_ready,
	.read_word = buffers_read_word,
	.interrupt = buffers_interrupt,
};

static bool store_visible_id(void *to, const void *id, size_t n)
{
	if (!visible_has((u64)(uintptr_t)to))
		return false;
	buffers_write(to, id, n);
	return true;
}

const struct engine buffers_plan_engine = {
	OPERATIONS,
	.own_history = true,
	.cas = buffers_plan_cas,
	.sync = buffers_plan_sync,
	.sync_limited = events_limited,
	.sync_until = events_until,
	.sync_woken_late = events_woken_late,
	.sync_join = events_join,
	.sync_times_out = buffers_times_out,
	.read_word = buffers_plan_read_word,
	.init_read = buffers_read,
	.init_write = buffers_write,
	.store_id = store_visible_id,
};
