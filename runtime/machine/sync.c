/* SPDX-License-Identifier: ISC */
/* sync.c - arriving at operations on synchronisation objects; see machine.h. */
#include "graph/execute.h"
#include "machine/access.h"
#include "machine/plan_driver.h"
#include "machine/state_cycle.h"
#include "machine/memory.h"
#include "machine/sync.h"
#include "machine/record.h"
#include "machine/vtime.h"

#include <errno.h>

static const char time_in_graphs[] =
	"sleeps and timed waits with --sleepers last are not explored in graphs";
static const struct sync_op yield_op = {.kind = EV_YIELD};

static inline __attribute__((always_inline)) bool arrive_at(
	struct thread *t, const struct sync_op *op, const void *obj)
{
	bool in_time;

	if (M.alone && sync_ready(op, obj, t)) {
		alone_step();
		if (unlikely(plan_driver_on))
			plan_driver_sync(op, obj);
		return true;
	}
	t->op = op;
	t->obj = obj;
	t->need_empty = true;
	M.nwaiting++;
	arrive_blocked(t);
	M.nwaiting--;
	in_time = sync_ready(op, obj, t);
	t->op = NULL;
	t->obj = NULL;
	t->need_empty = t->timed_out = t->may_time_out = false;
	if (unlikely(plan_driver_on))
		plan_driver_sync(op, obj);
	return in_time;
}

void sync_arrive(const struct sync_op *op, const void *obj)
{
	bool ready;

	if (unlikely(M.graph)) {
		execute_sync(op, obj, 0, 0);
		return;
	}
	spin_reset(&M.cur->spin);
	ready = arrive_at(M.cur, op, obj);
	BUG_ON(!ready);
}

/* What it does to obj as it is in memory. */
static u64 result_of(const struct sync_op *op, const void *obj, u64 argument)
{
	return op->result ? op->result(M.cur, obj, argument) : 0;
}

u64 sync_step(const struct sync_op *op, const void *obj, u64 argument)
{
	if (unlikely(M.graph))
		return execute_sync(op, obj, argument, 0);
	sync_arrive(op, obj);
	return result_of(op, obj, argument);
}

u64 sync_try(const struct sync_op *op, const void *obj)
{
	if (unlikely(M.graph))
		return execute_sync(op, obj, 0, 0);
	access_spinning(M.cur);
	arrive_at(M.cur, op, obj);
	return result_of(op, obj, 0);
}

void sync_failed(const void *state, u32 size)
{
	u64 value[2];

	if (unlikely(M.graph))
		return;
	memory_read((u64)(uintptr_t)state, size, value);
	spin_note(&M.cur->spin, (u64)(uintptr_t)state, size, value);
	if (unlikely(state_cycle_on))
		state_cycle_saw((u64)(uintptr_t)state, value);
}

/* Does a wait time out before it has to? */
static bool times_out(void)
{
	if (M.options->sleepers == SLEEPERS_ANY)
		return choose_rare(
			CHOICE_TIMEOUT, M.options->timeouts, &M.timeouts, BOUND_TIMEOUTS);
	if (M.graph)
		execute_unsupported("%s", time_in_graphs);
	return false;
}

bool sync_arrive_timed(const struct sync_op *op, const void *obj)
{
	struct thread *t = M.cur;
	bool in_time;

	if (unlikely(M.graph)) {
		if (times_out())
			return false;
		execute_sync(op, obj, 0, LABEL_TIMED);
		return true;
	}
	spin_reset(&t->spin);
	t->may_time_out = true;
	if (!M.alone || !sync_ready(op, obj, t))
		t->timed_out = times_out();
	in_time = arrive_at(t, op, obj);
	t->may_time_out = t->timed_out = false;
	return in_time;
}

bool sync_times_out(void)
{
	if (M.nthreads == 1)
		return true; /* no other thread could end the wait */
	return times_out();
}

u64 sync_step_limited(const struct sync_op *op, const void *obj)
{
	return M.graph ? execute_sync(op, obj, 0, LABEL_TIMED) : sync_step(op, obj, 0);
}

u64 sync_step_timed(
	const struct sync_op *waits, const struct sync_op *tries, const void *obj, bool *late)
{
	u64 result;

	if (!machine_graph) {
		*late = !sync_arrive_timed(waits, obj);
		return result_of(*late ? tries : waits, obj, 0);
	}
	if (M.nthreads == 1) /* no other thread to wait for: if it has to wait, time passes */
		*late = !sync_ready(waits, obj, M.cur);
	else
		*late = sync_times_out();
	if (!*late)
		return sync_step_limited(waits, obj);
	result = sync_step(tries, obj, 0);
	if (result && result != OBJECT_MISUSE)
		machine_abandon(); /* the same as not to be late */
	return result;
}

/* Objects are no larger; a parked thread looks at what it has read of it. */
#define OBJECT_SIZE 64

void sync_changed(const void *obj)
{
	if (unlikely(M.nparked))
		memory_changed((u64)(uintptr_t)obj, OBJECT_SIZE);
	for (u32 i = 0; M.nwaiting && i < M.nthreads; i++) {
		struct thread *t = &M.thread[M.created[i]];

		if (t->obj == obj && t->op && t != M.cur)
			thread_update(t);
	}
}

void sync_event_recorded(enum event_kind kind, const void *obj, u64 argument, u64 result)
{
	struct event e = {
		.kind = (u8)kind,
		.addr = sync_named((u64)(uintptr_t)obj),
		.old = {argument},
		.value = {result},
	};

	if (!M.in_execution)
		return;
	if (result == ETIMEDOUT && kind != EV_SLEEP)
		e.value[1] = M.cur->waited;
	e.thread = M.cur->number;
	e.buffered = M.cur->buffer.nstores;
	record_event(&e);
	if (M.graph)
		execute_wipe(); /* what is not recorded leaves less behind */
}

static void let_others_move(void)
{
	struct thread *t = M.cur;

	alone_step();
	if (!M.sampling || M.alone)
		return; /* not observable: to arrive would only repeat executions */
	explore_yield(&M.explore, t->number);
	t->op = &yield_op;
	arrive(t);
	t->op = NULL;
}

void machine_yield(enum event_kind kind)
{
	sync_event(kind, NULL, 0, 0);
	let_others_move();
}

static bool is_awake(const struct thread *t, const void *obj)
{
	return !t->asleep;
}

static const struct sync_op sleep_op = {.kind = EV_SLEEP, .ready = is_awake};

/* --sleepers last: until no other thread is enabled (stuck.c). */
static void sleep_last(u64 nanoseconds)
{
	struct thread *t = M.cur;

	t->deadline = vtime_after(nanoseconds);
	t->asleep = true;
	t->op = &sleep_op;
	arrive_blocked(t);
	t->op = NULL;
}

void machine_sleep(u64 nanoseconds)
{
	sync_event(EV_SLEEP, NULL, 0, nanoseconds);
	if (M.options->sleepers == SLEEPERS_LAST && nanoseconds) {
		if (M.graph && M.nthreads > 1)
			execute_unsupported("%s", time_in_graphs);
		if (!M.alone) {
			sleep_last(nanoseconds);
			return;
		}
	}
	vtime_advance(nanoseconds);
	let_others_move();
}

void machine_await(bool again)
{
	if (M.graph)
		execute_await(again);
	else if (again)
		machine_yield(EV_PAUSE);
}

void machine_wrote(void)
{
	spin_reset(&M.cur->spin);
}

void machine_progress(void)
{
	if (M.graph && execute_begun())
		execute_progress();
	spin_reset(&M.cur->spin);
}
