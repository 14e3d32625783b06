/* SPDX-License-Identifier: ISC */
/* interrupt.c - see interrupt.h. */
#include "machine/learnt.h"
#include "machine/wait/interrupt.h"
#include "machine/core.h"
#include "machine/wait/delivery.h"
#include "machine/wait/object_call.h"
#include "machine/record/record.h"
#include "machine/wait/sync.h"
#include "object/cancel.h"

/* --- which threads ---------------------------------------------------------------------------- */

bool interrupts_on;

static struct decorator decorator;
static struct object_call_observer observer;

void interrupts_update(void)
{
	bool on = learnt_known(LEARNT_CANCELLED) | learnt_known(LEARNT_SIGNALLED);

	if (on == interrupts_on)
		return;
	interrupts_on = on;
	engine_decorate(&decorator, on);
	object_calls_observe(&observer, on);
}

/* The bit of a thread that is cancelled; those from 63 on share one. */
static u64 cancel_bit(const struct thread *t)
{
	u32 id = thread_id(t);

	return (u64)1 << (id < 63 ? id : 63);
}

/* --- the object ------------------------------------------------------------------------------- */

static u64 state[THREADS_MAX]; /* enum cancel_state, by slot; of this execution if it has begun */
static PER_EXECUTION bool begun;

u64 interrupt_object(u32 slot)
{
	return (u64)(uintptr_t)&state[slot];
}

static const void *cancel_object(const struct thread *t)
{
	return (const void *)(uintptr_t)interrupt_object(thread_id(t));
}

static u64 *state_of_object(const void *obj)
{
	if (!begun)
		__builtin_memset(state, 0, sizeof state);
	begun = true;
	return (u64 *)(uintptr_t)obj;
}

static u64 cancel_state(const void *obj)
{
	return *state_of_object(obj);
}

static void keep_interrupt_state(const void *obj, u64 next)
{
	*state_of_object(obj) = next;
	sync_changed(obj);
}

static bool is_cancel_pending(const struct thread *t, const void *obj)
{
	return cancel_state(obj) == CANCEL_PENDING;
}

SYNC_KEPT(op_send, EV_CANCEL, NULL, OBJECT_CANCEL_SEND, cancel, cancel_state, keep_interrupt_state);
SYNC_KEPT(op_take, EV_CANCELLED, is_cancel_pending, OBJECT_CANCEL_TAKE, cancel, cancel_state,
	keep_interrupt_state);
SYNC_KEPT(op_test, EV_CANCELLED, NULL, OBJECT_CANCEL_TEST, cancel, cancel_state,
	keep_interrupt_state);
SYNC_KEPT(op_poll, EV_CANCELLED, NULL, OBJECT_CANCEL_POLL, cancel, cancel_state,
	keep_interrupt_state);

/* --- the running thread ----------------------------------------------------------------------- */

static bool may_be_cancelled(const struct thread *t)
{
	u64 cancelled = learnt_known(LEARNT_CANCELLED);

	return unlikely(cancelled) && cancelled & cancel_bit(t) && !t->uncancellable &&
	       !t->cancelled;
}

/* It acts on a cancellation request. */
static void accept_request(void)
{
	M.cur->cancelled = M.cur->cancelling = true;
	sync_event(EV_CANCELLED, NULL, 0, 0);
}

static bool test_request(void)
{
	if (!sync_step(&op_test, cancel_object(M.cur), 0))
		return false;
	accept_request();
	return true;
}

/* Does a call end with EINTR, after these handlers? */
static bool is_failure(u8 call, u32 delivered)
{
	return delivered & DELIVERED &&
	       (call == CALL_FAILS || (call == CALL_RESTARTS && delivered & DELIVERED_FAILS));
}

/* Signals that come before the call, or while it waits. */
static bool signal_begins(struct thread *t, enum interrupt_call call)
{
	bool fails;

	t->signal_call = call;
	if (call != CALL_RESUMES) /* from now on: others may move before it waits */
		t->interruptible |= INTERRUPT_SIGNAL;
	t->call = ++t->calls;
	fails = is_failure(call, delivery_now()) &&
		(t->waits_again || !machine_choose(2, CHOICE_INTERRUPT));
	t->call = 0;
	t->waits_again = false;
	if (fails)
		t->interrupted = INTERRUPT_FAILED;
	return fails;
}

/* A request to cancel it comes before the call, or while it waits: the wait is not an event, only
 * the release that it made (cond.c). */
bool interrupt_begins_slow(enum interrupt_call call)
{
	struct thread *t = M.cur;

	if (may_be_cancelled(t)) {
		if (test_request()) {
			t->interrupted = INTERRUPT_CANCEL;
			return true;
		}
		t->interruptible = INTERRUPT_CANCEL;
	}
	return delivery_is_possible() && signal_begins(t, call);
}

bool interrupt_begins_released(void)
{
	struct thread *t = M.cur;

	if (likely(!may_be_cancelled(t)))
		return false;
	if (!M.engine->own_history || M.nthreads == 1)
		return interrupt_begins_slow(CALL_RESUMES);
	t->interrupted = machine_choose(2, CHOICE_INTERRUPT) ? INTERRUPT_CANCEL : 0;
	if (!t->interrupted && test_request())
		machine_abandon(); /* the same as to wait for it */
	t->interruptible = t->interrupted ? 0 : INTERRUPT_CANCEL;
	return t->interrupted;
}

bool interrupt_has_come_since(void)
{
	struct thread *t = M.cur;

	if (!(t->interruptible & INTERRUPT_SIGNAL) || !delivery_is_possible())
		return false;
	t->call = ++t->calls;
	if (is_failure(t->signal_call, delivery_now()))
		t->interrupted = INTERRUPT_FAILED;
	t->call = 0;
	return t->interrupted;
}

void interrupt_comes_later(void)
{
	M.cur->interrupted = 0;
}

bool interrupt_has_come(void)
{
	return M.cur->interrupted;
}

u64 interrupt_signals(void)
{
	return M.cur->interruptible & INTERRUPT_SIGNAL ? ~M.cur->blocked_signals : 0;
}

bool interrupt_cancels(void)
{
	return M.cur->interruptible & INTERRUPT_CANCEL;
}

bool interrupt_take(void)
{
	struct thread *t = M.cur;
	bool was = t->interrupted & INTERRUPT_CANCEL;

	if (unlikely(was) && !t->cancelled) {
		t->interrupted = 0;
		t->interruptible = M.engine->own_history ? INTERRUPT_CANCEL : 0;
		sync_step(&op_take, cancel_object(t), 0);
		accept_request();
	}
	t->interruptible = t->interrupted = 0;
	return was;
}

void interrupt_act(void)
{
	struct thread *t = M.cur;

	if (likely(!t->cancelling))
		return;
	t->cancelling = false;
	machine_hooks.cancelled();
}

enum interrupt_end interrupt_ends_slow(void)
{
	struct thread *t = M.cur;
	u8 by = t->interrupted;

	if (by & INTERRUPT_CANCEL) {
		interrupt_take();
		interrupt_act();
	}
	t->interrupted = t->interruptible = 0;
	if (likely(!by))
		return INTERRUPT_NOT;
	if (by == INTERRUPT_FAILED || is_failure(t->signal_call, delivery_now())) {
		if (unlikely(M.recording))
			record_failed_call();
		return INTERRUPT_FAILS;
	}
	t->waits_again = true;
	return INTERRUPT_AGAIN;
}

void interrupt_point(void)
{
	if (may_be_cancelled(M.cur) && test_request())
		interrupt_act();
}

void interrupt_poll(void)
{
	const void *obj = cancel_object(M.cur);

	if (!may_be_cancelled(M.cur)) {
		M.engine->yield(); /* to the thread that would cancel it */
		return;
	}
	if (!sync_try(&op_poll, obj)) {
		sync_failed(state_of_object(obj), sizeof(u64));
		return;
	}
	accept_request();
	interrupt_act();
}

void interrupt_before_sleep(void)
{
	if (may_be_cancelled(M.cur))
		interrupt_poll();
}

void interrupt_now(void)
{
	if (unlikely(M.cur->asynchronous))
		interrupt_point();
}

/* --- before each operation -------------------------------------------------------------------- */

static void dress_interrupt(struct engine *e);
static struct decorator decorator = {.dress = dress_interrupt};
static u8 call_begins(const struct object_call *c);
static bool call_repeats(const struct object_call *c, u8 before);
static struct object_call_observer observer = {.before = call_begins, .after = call_repeats};

/* In a call that signals interrupt, handlers run when it ends. */
static void look_for_signals(void)
{
	if (!(M.cur->interruptible & INTERRUPT_SIGNAL) && delivery_is_possible())
		delivery_now();
}

static void before_operation(void)
{
	interrupt_now();
	look_for_signals();
}

/* Not a step if no request is pending, so that loops that only load are recognised as spinning. */
static void load_or_end(const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	if (M.engine->own_history || cancel_state(cancel_object(M.cur)) == CANCEL_PENDING)
		interrupt_now();
	look_for_signals();
	decorator.next->load(p, size, order, flags, out);
}

static void store_or_end(void *p, u32 size, const u64 value[2], int order, u16 flags)
{
	before_operation();
	decorator.next->store(p, size, value, order, flags);
}

static void rmw_or_end(void *p, u32 size, u64 value[2], int op, int order)
{
	before_operation();
	decorator.next->rmw(p, size, value, op, order);
}

static bool cas_or_end(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	before_operation();
	return decorator.next->cas(p, size, expected, desired, orders);
}

#define NO_WAIT 0xff /* in place of the interrupts that end one */

static bool is_own_operation(const struct sync_op *op)
{
	return op->kind == EV_CANCELLED || op->kind == EV_SEND_SIGNAL || op->kind == EV_GET_SIGNAL;
}

/* Returns the interrupts that could end the thread's waits before this one. */
static u8 call_begins(const struct object_call *c)
{
	const struct sync_op *op = c->op;
	u8 before = M.cur->interruptible;

	if (c->kind == OBJECT_CALL_SYNC) {
		if (is_own_operation(op))
			return NO_WAIT;
		if (!sync_is_interruptible(op) || op->kind == EV_WAIT_SIGNAL) {
			before_operation();
			return NO_WAIT;
		}
	}
	if (!op || op->object_op != OBJECT_REPEAT) { /* its failed attempts come before */
		M.cur->call = ++M.cur->calls;
		before_operation();
		M.cur->call = 0;
	}
	if (delivery_is_possible())
		M.cur->interruptible |= INTERRUPT_SIGNAL;
	return before;
}

/* Has a signal ended the wait that its caller does not wait for? Then it is repeated. */
static bool call_repeats(const struct object_call *c, u8 before)
{
	struct thread *t = M.cur;

	if (before == NO_WAIT)
		return false;
	t->interruptible = before;
	if (t->interrupted != INTERRUPT_SIGNAL || before & INTERRUPT_SIGNAL)
		return false;
	t->interrupted = 0;
	return true;
}

static void one_step(bool on)
{
	M.cur->one_step = on;
	if (decorator.next->sync_one_step)
		decorator.next->sync_one_step(on);
}

static void dress_interrupt(struct engine *e)
{
	e->load = load_or_end;
	e->store = store_or_end;
	e->rmw = rmw_or_end;
	e->cas = cas_or_end;
	e->sync_one_step = one_step;
}

/* --- requests --------------------------------------------------------------------------------- */

void interrupt_cancel(struct thread *t)
{
	learnt_add(LEARNT_CANCELLED, cancel_bit(t));
	sync_step(&op_send, cancel_object(t), 0);
	sync_event(EV_CANCEL, NULL, thread_number(t), 0);
	if ((t->interruptible || t->asynchronous) && M.engine->interrupt)
		M.engine->interrupt(t, INTERRUPT_CANCEL);
	if (t == M.cur)
		interrupt_now();
}
