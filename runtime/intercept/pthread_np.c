/* SPDX-License-Identifier: ISC */
/*
 * pthread_np.c - names, attributes, scheduling, cancellation of threads.
 *
 * Scheduling parameters and affinities mean nothing while exploring: accepted, without effect.
 * Cancellation and signals to threads are refused.
 */
#include "intercept/intercept.h"
#include "process/fiber.h"

#include <errno.h>

INTERCEPT int pthread_setname_np(pthread_t handle, const char *name)
{
	struct thread *t;

	NATIVELY(pthread_setname_np, handle, name);
	t = thread_of(handle);
	if (!t)
		return ESRCH;
	machine_drain();
	if (strlen(name) >= sizeof self_of(t)->name)
		return ERANGE;
	strcpy(self_of(t)->name, name);
	thread_name(t, name);
	return 0;
}

INTERCEPT int pthread_getname_np(pthread_t handle, char *to, size_t n)
{
	struct thread *t;

	NATIVELY(pthread_getname_np, handle, to, n);
	t = thread_of(handle);
	if (!t)
		return ESRCH;
	if (n <= strlen(self_of(t)->name))
		return ERANGE;
	machine_drain();
	strcpy(to, self_of(t)->name);
	return 0;
}

/* The stack is the one of the calling thread's fiber; only its owner may ask. */
INTERCEPT int pthread_getattr_np(pthread_t handle, pthread_attr_t *attr)
{
	u64 here = (u64)(uintptr_t)__builtin_frame_address(0);
	struct thread *t;
	u64 low;

	NATIVELY(pthread_getattr_np, handle, attr);
	t = thread_of(handle);
	if (!t)
		return ESRCH;
	if (t != thread_self())
		machine_refuse("pthread_getattr_np() of another thread is not simulated");
	machine_drain();
	low = here - (here - FIBER_STACKS) % FIBER_STACK_STRIDE + FIBER_GUARD;
	pthread_attr_init(attr);
	pthread_attr_setstack(attr, (void *)low, FIBER_STACK_SIZE);
	pthread_attr_setdetachstate(attr, thread_is_detached(t) ? PTHREAD_CREATE_DETACHED
								: PTHREAD_CREATE_JOINABLE);
	return 0;
}

/* --- scheduling: no effect ------------------------------------------------------------------- */

INTERCEPT int pthread_setschedparam(
	pthread_t handle, int policy, const struct sched_param *param)
{
	NATIVELY(pthread_setschedparam, handle, policy, param);
	return 0;
}

INTERCEPT int pthread_getschedparam(pthread_t handle, int *policy, struct sched_param *param)
{
	NATIVELY(pthread_getschedparam, handle, policy, param);
	machine_drain();
	*policy = SCHED_OTHER;
	*param = (struct sched_param){0};
	return 0;
}

INTERCEPT int pthread_setschedprio(pthread_t handle, int priority)
{
	NATIVELY(pthread_setschedprio, handle, priority);
	return 0;
}

INTERCEPT int pthread_setaffinity_np(pthread_t handle, size_t size, const cpu_set_t *set)
{
	NATIVELY(pthread_setaffinity_np, handle, size, set);
	return 0;
}

INTERCEPT int pthread_getaffinity_np(pthread_t handle, size_t size, cpu_set_t *set)
{
	NATIVELY(pthread_getaffinity_np, handle, size, set);
	machine_drain();
	return sched_getaffinity(0, size, set) ? errno : 0;
}

INTERCEPT int pthread_getcpuclockid(pthread_t handle, clockid_t *clock)
{
	NATIVELY(pthread_getcpuclockid, handle, clock);
	machine_drain();
	*clock = CLOCK_THREAD_CPUTIME_ID;
	return 0;
}

/* --- cancellation ---------------------------------------------------------------------------- */

INTERCEPT int pthread_cancel(pthread_t handle)
{
	NATIVELY(pthread_cancel, handle);
	machine_refuse("the program calls pthread_cancel(): cancellation is not simulated; "
		       "end threads through a flag");
}

static int swap(int *state, int new, int *old, const void *caller)
{
	if (new != 0 && new != 1)
		return EINVAL;
	give(caller, old, state, sizeof *state);
	*state = new;
	return 0;
}

INTERCEPT int pthread_setcancelstate(int state, int *old)
{
	NATIVELY(pthread_setcancelstate, state, old);
	return swap(&self_of(thread_self())->cancel_state, state, old,
		__builtin_return_address(0));
}

INTERCEPT int pthread_setcanceltype(int type, int *old)
{
	NATIVELY(pthread_setcanceltype, type, old);
	return swap(&self_of(thread_self())->cancel_type, type, old, __builtin_return_address(0));
}
