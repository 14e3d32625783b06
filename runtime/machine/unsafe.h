/* SPDX-License-Identifier: ISC */
/*
 * unsafe.h - calls that are not async-signal-safe, in signal handlers.
 *
 * POSIX (XSH 2.4.3): where a handler interrupts such a call and makes another one, the behaviour is
 * undefined. Natively a call of malloc() or printf() is one step; here a signal is also delivered
 * at its beginning, inside it: what the handler calls then is a finding. Other handlers could as
 * well run just before. So these points exist only once a handler has made an unsafe call, which is
 * learnt (LEARNT_UNSAFE), and the search begins again.
 *
 * A lock that the interrupted code of the thread holds, and the handler waits for, is another one.
 */
#ifndef MACHINE_UNSAFE_H
#define MACHINE_UNSAFE_H

#include "machine/interrupt.h"

struct unsafe_handler {
	u64 frame, outer;     /* of delivery_now(), 0: none runs; the one that it interrupts */
	const char *call;     /* the unsafe call that the thread is in; NULL: none */
	u32 signal, nlocks;
	const void *lock[4];  /* that handlers have taken */
};

/* The calling thread makes this call, from `caller' (a return address). */
void unsafe_call_slow(const char *name, const void *caller);

static inline void unsafe_call(const char *name, const void *caller)
{
	if (unlikely(interrupts_on))
		unsafe_call_slow(name, caller);
}

/* A handler begins, and has ended. */
void unsafe_handler_begins(u32 signal, u64 frame);
void unsafe_handler_ends(void);

/* The calling thread has taken a lock, or releases it; it waits for a lock that it holds. */
void unsafe_lock_slow(const void *lock, bool taken);
void unsafe_own_lock(const void *lock, const char *what);

static inline void unsafe_lock(const void *lock, bool taken)
{
	if (unlikely(interrupts_on))
		unsafe_lock_slow(lock, taken);
}

#endif
