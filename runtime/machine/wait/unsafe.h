/* SPDX-License-Identifier: ISC */
/*
 * unsafe.h - calls that are not async-signal-safe, in signal handlers.
 *
 * POSIX (XSH 2.4.3): if a handler interrupts such a call and makes another one, the behaviour is
 * undefined. A call of malloc() or printf() is one native step; here a signal can also be delivered
 * at its beginning, as if inside it: an unsafe call by the handler is then a finding. For other
 * handlers this is no different from running just before the call. So these points exist only once
 * some handler is known to make unsafe calls (LEARNT_UNSAFE), with which the search begins again.
 *
 * It is also a finding if the handler waits for a lock that the interrupted code of its thread
 * holds.
 */
#ifndef MACHINE_WAIT_UNSAFE_H
#define MACHINE_WAIT_UNSAFE_H

#include "machine/wait/interrupt.h"

/* The calling thread makes this call, from `caller' (a return address). */
void unsafe_call_slow(const char *name, const void *caller);

static inline void unsafe_call(const char *name, const void *caller)
{
	if (unlikely(interrupts_on))
		unsafe_call_slow(name, caller);
}

/* The calling thread has taken a lock; releases it; waits for a lock that it holds. */
void unsafe_lock_slow(const void *lock, bool taken);
void unsafe_own_lock(const void *lock, const char *what);

static inline void unsafe_lock(const void *lock, bool taken)
{
	if (unlikely(interrupts_on))
		unsafe_lock_slow(lock, taken);
}

#endif
