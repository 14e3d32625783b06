/* SPDX-License-Identifier: ISC */
/*
 * interrupt.h - what other threads do to one: cancellation, and the effect of signals on waits.
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

enum interrupt {
	INTERRUPT_CANCEL = 1,
	INTERRUPT_SIGNAL = 2,
	INTERRUPT_FAILED = 4, /* by a signal that came before the wait */
};

/* --- which threads ---------------------------------------------------------------------------- */

/* What is learnt, a bit each. */
enum learnt {
	LEARNT_CANCELLED, /* threads */
	LEARNT_SIGNALLED, /* threads, the process */
	LEARNT_SIGNALS,	  /* numbers that are sent (signal_bit()) */
	LEARNT_UNSAFE,	  /* handlers make unsafe calls (unsafe.h) */
	LEARNT_KINDS
};

/* An exploration begins, with what a replay file has; 0 = nothing is known. */
void interrupts_begin(const u64 learnt[LEARNT_KINDS]);
u64 interrupts_known(enum learnt what);
/* The search begins again: what has been learnt is valid. */
void interrupts_adopt(void);
/* Has the last execution ended because it found one? Until that is adopted. */
extern bool interrupts_changed;
extern bool interrupts_on; /* any is known */
/* The first time this ends the execution. */
void interrupt_learn(enum learnt what, u64 bit);

/* --- the running thread ----------------------------------------------------------------------- */

/* What a signal's handler does to a call that waits. */
enum interrupt_call {
	CALL_RESUMES,  /* it waits on */
	CALL_RESTARTS, /* EINTR, but with SA_RESTART it waits on */
	CALL_FAILS,    /* EINTR */
};

/*
 * A call that waits begins: true if it is interrupted at once. False: it may be interrupted in
 * operations that wait, which return OBJECT_INTERRUPTED, or are late. interrupt_ends() comes next,
 * or, of one that is cancelled, if there is something to be undone before, interrupt_take().
 */
bool interrupt_begins_slow(enum interrupt_call call);

static inline bool interrupt_begins(enum interrupt_call call)
{
	return unlikely(interrupts_on) && interrupt_begins_slow(call);
}

/* The same of a wait that releases something: a condition wait. */
bool interrupt_begins_released(void);
/* Was the call interrupted? By its cancellation: does not return. INTERRUPT_AGAIN: from the
 * beginning. */
enum interrupt_end { INTERRUPT_NOT, INTERRUPT_AGAIN, INTERRUPT_FAILS };
enum interrupt_end interrupt_ends_slow(void);

static inline enum interrupt_end interrupt_ends(void)
{
	return unlikely(interrupts_on) ? interrupt_ends_slow() : INTERRUPT_NOT;
}

/* Is it cancelled? Then interrupt_act() ends the thread. */
bool interrupt_take(void);
void interrupt_act(void);
/* So far? */
bool interrupt_has_come(void);
/* The signals that may interrupt it now; could it be cancelled? For its label. */
u64 interrupt_signals(void);
bool interrupt_cancels(void);

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
