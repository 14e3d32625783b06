/* SPDX-License-Identifier: ISC */
/*
 * interrupt.h - waits that another thread ends early: cancellation.
 *
 * A thread that is to be cancelled looks, at each cancellation point, for a request
 * (object/cancel.h). While it waits there, a request ends the wait. Where the steps of a thread
 * depend on its own history only (own_history), whether a wait is interrupted is a choice, made
 * before: either the thread waits for the request instead, or there was none at first, and it
 * waits as usual. A wait of either kind that lasts for ever is no deadlock if the other one would
 * not.
 *
 * Threads that are never cancelled pay nothing: which ones are is learnt (interrupt_learn()), and
 * the search begins again when a new one is.
 */
#ifndef MACHINE_INTERRUPT_H
#define MACHINE_INTERRUPT_H

#include "machine/machine.h"

/* --- which threads ---------------------------------------------------------------------------- */

/* An exploration begins; targets: that of a replay file, 0 = none is known. */
void interrupts_begin(u64 targets);
u64 interrupts_known(void);
/* The search begins again: targets found so far are valid. */
void interrupts_adopt(void);
/* Has the last execution ended because it found one? Until that is adopted. */
extern bool interrupts_changed;
/* Threads that may be cancelled, a bit a slot: those from 63 on have one. */
extern u64 interrupts_adopted;
/* Thread t is sent a request. The first time this ends the execution. */
void interrupt_learn(const struct thread *t);

/* --- the running thread ----------------------------------------------------------------------- */

/*
 * A call that waits begins: true if it is interrupted at once; interrupt_ends() comes next, or, if
 * there is something to be undone before, interrupt_take(). False: it may be interrupted in
 * operations that wait, until interrupt_ends(); they return OBJECT_INTERRUPTED, or are late.
 */
bool interrupt_begins_slow(void);

static inline bool interrupt_begins(void)
{
	return unlikely(interrupts_adopted) && interrupt_begins_slow();
}

/* Was the call interrupted? interrupt_take() does not end a thread that is cancelled;
 * interrupt_act() does, interrupt_ends() likewise. */
bool interrupt_take(void);
void interrupt_act(void);
bool interrupt_ends_slow(void);

static inline bool interrupt_ends(void)
{
	return unlikely(interrupts_adopted) && interrupt_ends_slow();
}

/* So far? */
bool interrupt_has_come(void);

/* A cancellation point that does not wait. */
void interrupt_point(void);
/* The same behind an entry stub, so that a loop is seen to wait there. */
void interrupt_poll(void);
/* The same before a sleep, which lets other threads run itself: two steps without an effect would
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
