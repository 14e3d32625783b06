/* SPDX-License-Identifier: ISC */
/* sync.c - arriving at operations on synchronisation objects, and waiting, on store buffers. */
#include "buffers/buffers.h"
#include "buffers/happens.h"
#include "buffers/lockset.h"
#include "buffers/private.h"
#include "buffers/race.h"
#include "buffers/sched.h"
#include "buffers/trace_note.h"
#include "heap/heap_check.h"
#include "machine/wait/sync.h"
#include "machine/wait/vtime.h"
#include "object/barrier.h"
#include "object/object.h"

static const struct sync_op yield_op = {.kind = EV_YIELD};

static inline __attribute__((always_inline)) bool wait_for_step(
	struct thread *t, const struct sync_op *op, const void *obj)
{
	bool in_time;

	if (unlikely(sched_of(t)->in_step))
		return true;
	if (M.alone && sync_ready(op, obj, t)) {
		alone_step();
		if (unlikely(M.driver && M.driver->sync))
			M.driver->sync(op, obj);
		return true;
	}
	t->op = op;
	t->obj = obj;
	sched_of(t)->need_empty = true;
	S.waited[t->number] = obj;
	S.nwaiting++;
	arrive_blocked(t);
	S.nwaiting--;
	S.waited[t->number] = NULL;
	in_time = !sched_of(t)->timed_out || sync_ready(op, obj, t);
	t->op = NULL;
	t->obj = NULL;
	sched_of(t)->need_empty = sched_of(t)->timed_out = t->may_time_out = false;
	if (unlikely(M.driver && M.driver->sync))
		M.driver->sync(op, obj);
	return in_time;
}

static __attribute__((noinline)) void note_sync_step(
	struct thread *t, const struct sync_op *op, const void *obj)
{
	if (op->kind == EV_DRAIN)
		races_unknown();
	if (unlikely(locksets_on))
		lockset_operate(op, obj);
	if (op->kind != EV_JOIN && obj)
		private_operate(t, obj);
	else if (obj && ((const struct thread *)obj)->finished)
		happens_join(t, obj);
}

static inline __attribute__((always_inline)) bool arrive_at(
	struct thread *t, const struct sync_op *op, const void *obj)
{
	bool in_time = wait_for_step(t, op, obj);

	if (private_on)
		note_sync_step(t, op, obj);
	if (unlikely(heap_is_watched((u64)(uintptr_t)obj)) && !heap_has_object(obj) &&
		object_op_has(op->object_op, OP_USES))
		heap_check_object(obj, op->kind);
	return in_time;
}

/* The wait is over: was it interrupted? A choice, if it could also end as usual. */
static bool was_interrupted(struct thread *t, bool ready)
{
	if (t->interrupted && ready && !machine_choose(2, CHOICE_INTERRUPT))
		t->interrupted = 0;
	return t->interrupted;
}

static __attribute__((noinline)) u64 sync_interruptibly(
	struct thread *t, const struct sync_op *op, const void *obj, u64 argument)
{
	bool ready, may_end = sync_is_interruptible(op);

	spin_reset(&t->spin);
	sched_of(t)->timed_out = may_end && t->interrupted;
	ready = arrive_at(t, op, obj);
	if (may_end && was_interrupted(t, ready))
		return OBJECT_INTERRUPTED;
	return sync_result(op, obj, argument);
}

void buffers_interrupt(struct thread *t, u8 by)
{
	trace_give_up();
	if (t->parked) {
		t->parked = false;
		S.nparked--;
	}
	if (t->interruptible & by) {
		t->interrupted |= by;
		t->asleep = false;
		sched_of(t)->timed_out = t->op && sync_is_interruptible(t->op);
	}
	thread_update(t);
}

u64 buffers_sync(const struct sync_op *op, const void *obj, u64 argument, enum arrive_how how)
{
	struct thread *t = M.cur;
	bool ready;

	t->argument = argument;
	if (unlikely(t->interruptible))
		return sync_interruptibly(t, op, obj, argument);
	if (how == ARRIVE_TRIES)
		buffers_spinning(t);
	else if (how != ARRIVE_QUIET)
		spin_reset(&t->spin);
	ready = arrive_at(t, op, obj);
	BUG_ON(!ready);
	return how == ARRIVE_ONLY ? 0 : sync_result(op, obj, argument);
}

/* In a graph, arrivals at a barrier are unordered, so none is the last. Where no order is needed,
 * there is no event. */
u64 buffers_plan_sync(const struct sync_op *op, const void *obj, u64 argument, enum arrive_how how)
{
	u64 result;

	if (object_op_has(op->object_op, OP_UNORDERED))
		return sync_result(op, obj, argument);
	result = buffers_sync(op, obj, argument, how);
	if (result == BARRIER_LAST && object_op_has(op->object_op, OP_ROUND) &&
		!object_op_has(op->object_op, OP_WAITS))
		return BARRIER_WAITS;
	return result;
}

u32 buffers_read_word(const u32 *word)
{
	M.engine->drain();
	return buffers_plan_read_word(word);
}

/* An ordinary access. */
u32 buffers_plan_read_word(const u32 *word)
{
	return buffers_word(word);
}

void buffers_sync_one_step(bool on)
{
	sched_of(M.cur)->in_step = on;
}

void buffers_sync_then(const struct sync_op *then, const void *obj)
{
	struct thread *t = M.cur;

	S.nthen -= sched_of(t)->then != NULL;
	sched_of(t)->then = then;
	sched_of(t)->then_obj = obj;
	S.nthen += sched_of(t)->then != NULL;
}

bool buffers_sync_then_ready(const struct thread *t)
{
	const struct sched_thread *o = sched_of(t);

	return !o->then || sync_ready(o->then, o->then_obj, t);
}

bool buffers_sync_join(const struct sync_op *join, const struct sync_op *leave, u64 argument,
	const u32 *word, u32 expected)
{
	if (sync_read_word(word) != expected)
		return false;
	sync_result(join, word, argument);
	return true;
}

void buffers_sync_failed(const void *state, u32 size)
{
	u64 value[2];

	memory_read((u64)(uintptr_t)state, size, value);
	spin_note(&M.cur->spin, (u64)(uintptr_t)state, size, value);
}

/* Does a wait time out before it has to? */
bool buffers_times_out(void)
{
	return M.options->sleepers == SLEEPERS_ANY &&
	       choose_rare(CHOICE_TIMEOUT, M.options->timeouts);
}

bool buffers_sync_timed(const struct sync_op *op, const void *obj)
{
	struct thread *t = M.cur;
	bool in_time;

	spin_reset(&t->spin);
	t->may_time_out = true;
	if (!M.alone || !sync_ready(op, obj, t))
		sched_of(t)->timed_out = t->interrupted || buffers_times_out();
	in_time = arrive_at(t, op, obj);
	if (unlikely(t->interrupted))
		in_time = !was_interrupted(t, in_time);
	t->may_time_out = sched_of(t)->timed_out = false;
	return in_time;
}

u64 buffers_sync_limited(const struct sync_op *op, const void *obj, bool *late)
{
	*late = !buffers_sync_timed(op, obj);
	return *late ? 0 : sync_result(op, obj, 0);
}

u64 buffers_sync_until(
	const struct sync_op *waits, const struct sync_op *tries, const void *obj, bool *late)
{
	*late = !buffers_sync_timed(waits, obj);
	return sync_result(*late ? tries : waits, obj, 0);
}

/* Woken while it waited for another object. */
bool buffers_sync_woken_late(
	const struct sync_op *takes, const struct sync_op *leaves, const void *obj)
{
	bool may_take = sync_ready(takes, obj, M.cur);
	bool may_leave = !object_step((enum object_op)leaves->object_op, 0, thread_id(M.cur),
		leaves->state(obj)).result;

	buffers_sync_one_step(true);
	if (may_take && may_leave)
		may_take = !machine_choose(2, CHOICE_TIMEOUT);
	buffers_sync(may_take ? takes : leaves, obj, 0, ARRIVE_WAITS);
	buffers_sync_one_step(false);
	return may_take;
}

/* The maximum size of an object; parked threads watch the parts that they have read. */
#define OBJECT_SIZE 64

void buffers_sync_changed(const void *obj)
{
	if (unlikely(traces_noted))
		trace_note_change(obj);
	if (unlikely(S.nparked))
		memory_changed((u64)(uintptr_t)obj, OBJECT_SIZE);
	if (S.lazy)
		sched_object_stale(obj);
	else
		sched_object_changed(obj);
}

void buffers_yield(void)
{
	struct thread *t = M.cur;

	alone_step();
	if (!M.sampling || M.alone)
		return; /* not observable: an arrival would only duplicate executions */
	explore_yield(&M.explore, t->number);
	t->op = &yield_op;
	arrive(t);
	t->op = NULL;
}

static bool is_awake(const struct thread *t, const void *obj)
{
	return !t->asleep;
}

static const struct sync_op sleep_op = {.kind = EV_SLEEP, .ready = is_awake};

/* Until no other thread is enabled (stuck.c). */
bool buffers_sleep(u64 nanoseconds)
{
	struct thread *t = M.cur;

	if (M.alone)
		return false;
	t->deadline = vtime_after(nanoseconds);
	t->asleep = true;
	t->op = &sleep_op;
	arrive_blocked(t);
	t->op = NULL;
	return true;
}

void buffers_await(bool again)
{
	if (again)
		machine_yield(EV_PAUSE);
}

void buffers_progress(void)
{
	spin_reset(&M.cur->spin);
}
