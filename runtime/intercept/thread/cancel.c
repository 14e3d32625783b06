/* SPDX-License-Identifier: ISC */
/*
 * cancel.c - the end of a thread by pthread_exit() or pthread_cancel(): its cleanup handlers.
 *
 * Handlers of pthread_cleanup_push() are jump buffers: glibc's macros pass them in, and their
 * padding is ours. Code with -fexceptions has landing pads, found by the unwinder of libgcc, which
 * such a program is linked with.
 */
#include "intercept/intercept.h"
#include "machine/core.h"
#include "machine/wait/interrupt.h"
#include "sync/once.h"

#include <errno.h>
#include <unwind.h>

/* --- unwinding -------------------------------------------------------------------------------- */

extern __typeof__(_Unwind_ForcedUnwind) _Unwind_ForcedUnwind __attribute__((weak));
extern __typeof__(_Unwind_GetCFA) _Unwind_GetCFA __attribute__((weak));

static struct _Unwind_Exception exceptions[THREADS_MAX];

static void target_of(const __pthread_unwind_buf_t *top, jmp_buf target)
{
	memset(target, 0, sizeof(jmp_buf));
	memcpy(target, top->__cancel_jmp_buf, sizeof top->__cancel_jmp_buf); /* its first part */
}

/* The next handler, or the end. */
static _Noreturn void jump_to_handler(void)
{
	struct self *s = self_of(thread_self());
	__pthread_unwind_buf_t *top = s->cleanup;
	jmp_buf target;

	if (!top) {
		once_leave(~0ull);
		finish_thread(s->result);
	}
	s->cleanup = top->__pad[0];
	target_of(top, target);
	once_leave(arch_longjmp_sp(target));
	longjmp(target, 1); /* ends in __pthread_unwind_next() */
}

/* The unwinder is about to leave a frame. */
static _Unwind_Reason_Code leave_frame(int version, _Unwind_Action actions,
	_Unwind_Exception_Class class, struct _Unwind_Exception *exception,
	struct _Unwind_Context *context, void *arg)
{
	const struct self *s = self_of(thread_self());
	u64 sp = _Unwind_GetCFA(context);
	jmp_buf target;

	if (s->cleanup) {
		target_of(s->cleanup, target);
		if (sp >= arch_longjmp_sp(target))
			jump_to_handler();
	}
	if (actions & _UA_END_OF_STACK)
		jump_to_handler();
	return _URC_NO_REASON;
}

static _Noreturn void unwind_thread(void)
{
	struct _Unwind_Exception *e = &exceptions[thread_id(thread_self())];

	if (_Unwind_ForcedUnwind && _Unwind_GetCFA) {
		*e = (struct _Unwind_Exception){0};
		_Unwind_ForcedUnwind(e, leave_frame, NULL);
	}
	jump_to_handler();
}

INTERCEPT _Noreturn void pthread_exit(void *result)
{
	if (!machine_entered()) {
		real(pthread_exit)(result);
		__builtin_unreachable();
	}
	thread_self()->uncancellable = true; /* it cannot be cancelled any more */
	self_of(thread_self())->result = result;
	unwind_thread();
}

INTERCEPT void __pthread_register_cancel(__pthread_unwind_buf_t *buffer)
{
	struct self *s;

	if (!machine_entered()) {
		real(__pthread_register_cancel)(buffer);
		return;
	}
	s = self_of(thread_self());
	buffer->__pad[0] = s->cleanup;
	s->cleanup = buffer;
}

INTERCEPT void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer)
{
	if (machine_entered())
		self_of(thread_self())->cleanup = buffer->__pad[0];
	else
		real(__pthread_unregister_cancel)(buffer);
}

INTERCEPT _Noreturn void __pthread_unwind_next(__pthread_unwind_buf_t *buffer)
{
	if (machine_entered())
		unwind_thread();
	real(__pthread_unwind_next)(buffer);
	__builtin_unreachable();
}

/* --- cancellation ----------------------------------------------------------------------------- */

/* The calling thread has been cancelled. */
static _Noreturn void end_cancelled(void)
{
	struct self *s = self_of(thread_self());

	s->result = PTHREAD_CANCELED;
	unwind_thread();
}

INTERCEPT int pthread_cancel(pthread_t handle)
{
	struct thread *t;

	NATIVELY(pthread_cancel, handle);
	t = thread_of(handle);
	if (!t)
		return ESRCH;
	machine_hooks.cancelled = end_cancelled;
	interrupt_cancel(t);
	return 0;
}

ATTEMPT(void, pthread_testcancel, (void), ())
{
	interrupt_poll();
}

INTERCEPT int pthread_setcancelstate(int state, int *old)
{
	struct thread *t;
	int was;

	NATIVELY(pthread_setcancelstate, state, old);
	if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
		return EINVAL;
	t = thread_self();
	was = t->uncancellable ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
	give(__builtin_return_address(0), old, &was, sizeof was);
	t->uncancellable = state == PTHREAD_CANCEL_DISABLE;
	interrupt_now();
	return 0;
}

INTERCEPT int pthread_setcanceltype(int type, int *old)
{
	struct thread *t;
	int was;

	NATIVELY(pthread_setcanceltype, type, old);
	if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
		return EINVAL;
	t = thread_self();
	was = t->asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
	give(__builtin_return_address(0), old, &was, sizeof was);
	t->asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
	interrupt_now();
	return 0;
}
