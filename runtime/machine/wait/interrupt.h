/* SPDX-License-Identifier: ISC */
/*
 * interrupt.h - effects of other threads on one: cancellation, and signals that end waits.
 *
 * A thread that may be cancelled checks for a request at each cancellation point (object/cancel.h).
 * While it waits there, a request ends the wait. Where the steps of a thread depend on its own
 * history only (own_history), the interruption of a wait is a choice made before: the thread waits
 * for the request instead, or it waits as usual, without a request so far. An endless wait of one
 * kind is not a deadlock if the other kind would end.
 *
 * Threads that are never cancelled pay nothing: that one is cancelled, or gets a signal, is learnt
 * (machine/learnt.h).
 */
#ifndef MACHINE_WAIT_INTERRUPT_H
#define MACHINE_WAIT_INTERRUPT_H

#include "machine/machine.h"

extern bool interrupts_on; /* may threads be cancelled, or have signals been sent? */

/* Facts have been adopted (learnt_begin()): set interrupts_on. */
void interrupts_update(void);

/* --- the running thread ----------------------------------------------------------------------- */

/* The effect of a signal's handler on a call that waits. */
enum interrupt_call {
	CALL_RESUMES,  /* it waits on */
	CALL_RESTARTS, /* EINTR, but with SA_RESTART it continues */
	CALL_FAILS,    /* EINTR */
};

/*
 * A call that waits begins: true if it is interrupted at once. False: its waiting operations may be
 * interrupted; they return OBJECT_INTERRUPTED, or are late. interrupt_ends() comes next, or, if a
 * cancelled call has to be undone first, interrupt_take().
 */
bool interrupt_begins_slow(enum interrupt_call call);

static inline bool interrupt_begins(enum interrupt_call call)
{
	return unlikely(interrupts_on) && interrupt_begins_slow(call);
}

/* The same for a wait that releases an object: a condition wait. */
bool interrupt_begins_released(void);
/* Was the call interrupted? Does not return if it was cancelled. INTERRUPT_AGAIN: repeat the
 * call. */
enum interrupt_end { INTERRUPT_NOT, INTERRUPT_AGAIN, INTERRUPT_FAILS };
enum interrupt_end interrupt_ends_slow(void);

static inline enum interrupt_end interrupt_ends(void)
{
	return unlikely(interrupts_on) ? interrupt_ends_slow() : INTERRUPT_NOT;
}

/* Is it cancelled? Then interrupt_act() ends the thread. */
bool interrupt_take(void);
void interrupt_act(void);
/* It has a result, which is not lost: the signal's handler runs after the call. */
void interrupt_comes_later(void);
/* Has it been, so far? */
bool interrupt_has_come(void);
/* Time has passed in the call, which continues to wait: has a signal come that interrupts it? */
bool interrupt_has_come_since(void);
/* For its label: the signals that may interrupt it now. / Could it be cancelled? */
u64 interrupt_signals(void);
bool interrupt_cancels(void);

/* A cancellation point that does not wait. */
void interrupt_point(void);
/* The same after an entry stub, so that a loop that waits there is recognised. */
void interrupt_poll(void);
/* The same before a sleep, which itself lets other threads run: two steps without an effect would
 * look like a loop. */
void interrupt_before_sleep(void);
/* interrupt_point(), if the thread may be cancelled at any time. */
void interrupt_now(void);

/* --- requests --------------------------------------------------------------------------------- */

/* Cancel t, a step. */
void interrupt_cancel(struct thread *t);

/* The object of slot's requests, as in a graph. */
u64 interrupt_object(u32 slot);

#endif
