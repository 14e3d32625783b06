/* SPDX-License-Identifier: ISC */
/*
 * pthread_np.c - names, attributes, clocks of threads.
 */
#include "intercept/intercept.h"
#include "process/fiber.h"

#include <errno.h>
#include <sys/prctl.h>

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
	const char *name;
	struct thread *t;
	char process[16];

	NATIVELY(pthread_getname_np, handle, to, n);
	t = thread_of(handle);
	if (!t)
		return ESRCH;
	machine_unrepeatable("names of threads"); /* not in the program's memory */
	name = self_of(t)->name;
	if (!*name && !real(prctl)(PR_GET_NAME, process))
		name = process;
	if (n <= strlen(name))
		return ERANGE;
	machine_drain();
	strcpy(to, name);
	return 0;
}

/* The stack of the calling thread's fiber; a thread can only query its own. */
INTERCEPT int pthread_getattr_np(pthread_t handle, pthread_attr_t *attr)
{
	u64 here = (u64)(uintptr_t)__builtin_frame_address(0);
	struct thread *t;
	unsigned slot;

	NATIVELY(pthread_getattr_np, handle, attr);
	t = thread_of(handle);
	if (!t)
		return ESRCH;
	if (t != thread_self())
		machine_refuse("pthread_getattr_np() of another thread is not simulated");
	machine_drain();
	slot = (unsigned)((here - FIBER_STACKS) / FIBER_STACK_STRIDE);
	pthread_attr_init(attr);
	pthread_attr_setstack(
		attr, (void *)(fiber_end(slot) - fiber_mapped[slot]), fiber_mapped[slot]);
	pthread_attr_setdetachstate(attr, thread_is_detached(t) ? PTHREAD_CREATE_DETACHED
								: PTHREAD_CREATE_JOINABLE);
	return 0;
}

/* --- clocks ---------------------------------------------------------------------------------- */

INTERCEPT int pthread_getcpuclockid(pthread_t handle, clockid_t *clock)
{
	NATIVELY(pthread_getcpuclockid, handle, clock);
	machine_drain();
	*clock = CLOCK_THREAD_CPUTIME_ID;
	return 0;
}
