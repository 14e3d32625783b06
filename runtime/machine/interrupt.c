/* SPDX-License-Identifier: ISC */
/* interrupt.c - see interrupt.h. */
#include "machine/interrupt.h"
#include "machine/core.h"
#include "machine/sync.h"
#include "object/cancel.h"
#include "process/shared.h"

/* --- which threads ---------------------------------------------------------------------------- */

static u64 *known; /* of all processes */
u64 interrupts_adopted;
bool interrupts_changed;

static struct decorator decorator;

static u64 bit_of(const struct thread *t)
{
	u32 id = thread_id(t);

	return (u64)1 << (id < 63 ? id : 63);
}

void interrupts_begin(u64 targets)
{
	if (!known)
		known = shared_pages(sizeof *known);
	BUG_ON(!known);
	*known = targets;
	interrupts_adopt();
}

u64 interrupts_known(void)
{
	return interrupts_adopted;
}

void interrupts_adopt(void)
{
	u64 now = known ? *known : 0;

	if (!now != !interrupts_adopted)
		engine_decorate(&decorator, now);
	interrupts_adopted = now;
	interrupts_changed = false;
}

void interrupt_learn(const struct thread *t)
{
	if (likely(interrupts_adopted & bit_of(t)))
		return;
	__atomic_fetch_or(known, bit_of(t), __ATOMIC_RELAXED);
	interrupts_changed = true;
	M.engine->learnt();
}

/* --- the object ------------------------------------------------------------------------------- */

static u64 state[THREADS_MAX]; /* enum cancel_state, by slot; of this execution if it has begun */
static PER_EXECUTION bool begun;

u64 interrupt_object(u32 slot)
{
	return (u64)(uintptr_t)&state[slot];
}

static const void *object_of(const struct thread *t)
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

static void keep_state(const void *obj, u64 next)
{
	*state_of_object(obj) = next;
	sync_changed(obj);
}

static bool is_pending(const struct thread *t, const void *obj)
{
	return cancel_state(obj) == CANCEL_PENDING;
}

SYNC_KEPT(op_send, EV_CANCEL, NULL, OBJECT_CANCEL_SEND, cancel, cancel_state, keep_state);
SYNC_KEPT(op_take, EV_CANCELLED, is_pending, OBJECT_CANCEL_TAKE, cancel, cancel_state, keep_state);
SYNC_KEPT(op_test, EV_CANCELLED, NULL, OBJECT_CANCEL_TEST, cancel, cancel_state, keep_state);
SYNC_KEPT(op_poll, EV_CANCELLED, NULL, OBJECT_CANCEL_POLL, cancel, cancel_state, keep_state);

/* --- the running thread ----------------------------------------------------------------------- */

static bool may_be_cancelled(const struct thread *t)
{
	return unlikely(interrupts_adopted) && interrupts_adopted & bit_of(t) &&
	       !t->uncancellable && !t->cancelled;
}

/* It acts on a request. */
static void accept_request(void)
{
	M.cur->cancelled = M.cur->cancelling = true;
	sync_event(EV_CANCELLED, NULL, 0, 0);
}

static bool test_request(void)
{
	if (!sync_step(&op_test, object_of(M.cur), 0))
		return false;
	accept_request();
	return true;
}

bool interrupt_begins_slow(void)
{
	struct thread *t = M.cur;

	if (likely(!may_be_cancelled(t)))
		return false;
	if (!M.engine->own_history) {
		if (test_request())
			return t->interrupted = true;
	} else if (M.nthreads > 1 && machine_choose(2, CHOICE_INTERRUPT)) {
		return t->interrupted = true;
	} else if (test_request()) {
		if (M.nthreads > 1)
			machine_abandon(); /* the same as to wait for it */
		return t->interrupted = true;
	}
	t->interruptible = true;
	return false;
}

bool interrupt_has_come(void)
{
	return M.cur->interrupted;
}

bool interrupt_take(void)
{
	struct thread *t = M.cur;
	bool was = t->interrupted;

	t->interrupted = false;
	if (unlikely(was) && !t->cancelled) {
		t->interruptible = M.engine->own_history;
		sync_step(&op_take, object_of(t), 0);
		accept_request();
	}
	t->interruptible = false;
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

bool interrupt_ends_slow(void)
{
	bool was = interrupt_take();

	interrupt_act();
	return was;
}

void interrupt_point(void)
{
	if (may_be_cancelled(M.cur) && test_request())
		interrupt_act();
}

void interrupt_poll(void)
{
	const void *obj = object_of(M.cur);

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

/* --- asynchronous cancellation ---------------------------------------------------------------- */

static void dress_async(struct engine *e);
static struct decorator decorator = {.dress = dress_async};

/* No step where nothing is pending, so that loops that only load are seen to spin. */
static void load_or_end(const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	if (M.engine->own_history || cancel_state(object_of(M.cur)) == CANCEL_PENDING)
		interrupt_now();
	decorator.next->load(p, size, order, flags, out);
}

static void store_or_end(void *p, u32 size, const u64 value[2], int order, u16 flags)
{
	interrupt_now();
	decorator.next->store(p, size, value, order, flags);
}

static void rmw_or_end(void *p, u32 size, u64 value[2], int op, int order)
{
	interrupt_now();
	decorator.next->rmw(p, size, value, op, order);
}

static bool cas_or_end(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	interrupt_now();
	return decorator.next->cas(p, size, expected, desired, orders);
}

static u64 sync_or_end(const struct sync_op *op, const void *obj, u64 argument, enum arrive_how how)
{
	if (op != &op_test && op != &op_poll)
		interrupt_now();
	return decorator.next->sync(op, obj, argument, how);
}

static void dress_async(struct engine *e)
{
	e->load = load_or_end;
	e->store = store_or_end;
	e->rmw = rmw_or_end;
	e->cas = cas_or_end;
	e->sync = sync_or_end;
}

/* --- requests --------------------------------------------------------------------------------- */

void interrupt_cancel(struct thread *t)
{
	interrupt_learn(t);
	sync_step(&op_send, object_of(t), 0);
	sync_event(EV_CANCEL, NULL, thread_number(t), 0);
	if ((t->interruptible || t->asynchronous) && M.engine->interrupt)
		M.engine->interrupt(t);
	if (t == M.cur)
		interrupt_now();
}
