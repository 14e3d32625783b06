/* SPDX-License-Identifier: ISC */
/*
 * once.c - see once.h.
 *
 * An exception, or the end of the thread, may leave the function: then it has not been called, and
 * the next thread calls it. The unwinder calls the personality of run_function() then.
 */
#include "sync/once.h"
#include "machine/core.h"
#include "machine/wait/sync.h"
#include "object/once.h"

#include <unwind.h>

#define RUNNING 1
#define DONE	2
#define SHIFT	2

static int once_holder(const void *obj)
{
	int state = *(const int *)obj;

	return state & RUNNING ? state >> SHIFT : -1;
}

/* As object.h has it. */
static u64 once_state(const void *obj)
{
	int v = *(const int *)obj;

	return v & DONE ? 2 : v & RUNNING;
}

SYNC_WAITS(op_once, EV_ONCE, once_holder, OBJECT_ONCE_ENTER, once, once_state);
SYNC_OP(op_done, EV_ONCE, OBJECT_ONCE_DONE, once, once_state);

/* The functions that a thread runs, the innermost first. */
struct running {
	int *once;
	struct running *outer;
};

/* The state becomes `state`: the function has returned, or failed. */
static void end_running(int *once, int state, enum once_result why)
{
	sync_step(&op_done, once, why == ONCE_FAILED);
	*once = state;
	sync_changed(once);
	sync_event(EV_ONCE, once, 0, why);
}

/* The innermost function has failed. */
static void leave_function(void)
{
	struct thread *t = thread_self();
	struct running *r = t->once;

	t->once = r->outer;
	end_running(r->once, 0, ONCE_FAILED);
}

static bool runs_below(u64 sp)
{
	const void *innermost = thread_self()->once;

	return innermost && (u64)(uintptr_t)innermost < sp;
}

void once_leave(u64 sp)
{
	while (runs_below(sp))
		leave_function();
}

void once_forget(u64 sp)
{
	struct thread *t = thread_self();

	while (runs_below(sp))
		t->once = ((struct running *)t->once)->outer;
}

__attribute__((used)) static _Unwind_Reason_Code once_personality(int version,
	_Unwind_Action actions, _Unwind_Exception_Class class, struct _Unwind_Exception *exception,
	struct _Unwind_Context *context) __asm__("heddle_once_personality");

static _Unwind_Reason_Code once_personality(int version, _Unwind_Action actions,
	_Unwind_Exception_Class class, struct _Unwind_Exception *exception,
	struct _Unwind_Context *context)
{
	if (actions & _UA_CLEANUP_PHASE) {
		machine_entered();
		leave_function();
		machine_returns();
	}
	return _URC_CONTINUE_UNWIND;
}

__attribute__((noinline, noclone)) static void run_function(int *once, void (*fn)(void))
{
	struct thread *t = thread_self();
	struct running r = {once, t->once};

	__asm__ volatile(".cfi_personality 0x1b, heddle_once_personality");
	t->once = &r;
	machine_returns(); /* padding in fn's frame is the same, recorded or not */
	fn();
	machine_entered(); /* completes announced stores (tsan_store.h) */
	t->once = r.outer;
}

void once_run(int *once, void (*fn)(void))
{
	u64 step = sync_step(&op_once, once, 0);

	if (!step) {
		sync_event(EV_ONCE, once, 0, ONCE_DONE);
		return;
	}
	*once = RUNNING | (int)thread_id(thread_self()) << SHIFT;
	sync_changed(once);
	sync_event(EV_ONCE, once, 0, ONCE_RUNS);
	run_function(once, fn);
	end_running(once, DONE, ONCE_RETURNED);
}
