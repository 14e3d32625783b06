/* SPDX-License-Identifier: ISC */
/*
 * stack_check.h - local variables whose address has escaped: are they alive, and written?
 *
 * Written. The compiler pass announces such a variable unless its first use is a store; it is then
 *          filled (fresh.h). A read that uses the fill is a finding of the reading thread
 *          (--detect=unwritten), on store buffers and along graphs.
 * Alive.   On store buffers, an access to the stack of another thread (--detect=stack). The
 *          variables of a function that has returned are between its lowest address and the
 *          highest; memory that the thread itself accesses again, or where it announces a variable,
 *          is in use. For graphs see graph/execute_frame.c. Returns in code that is not
 *          instrumented are not announced, so frames that return while such code is called are not
 *          known to be dead.
 */
#ifndef HEAP_STACK_CHECK_H
#define HEAP_STACK_CHECK_H

#include "event/finding.h"
#include "process/fiber.h"

#define STACK_SPAN (512ull * FIBER_STACK_STRIDE) /* THREADS_MAX of them */

struct thread;
struct store;

static inline bool stack_has(u64 addr)
{
	return addr - FIBER_STACKS < STACK_SPAN;
}

/* Before the first execution: which detectors are on? */
void stack_check_begin(void);

/* A known failure is being executed on store buffers: these detectors report nothing else. NULL: a
 * search. */
void stack_check_expect(const struct finding *f);
bool stack_check_expects(enum finding_kind kind);

/* An execution on store buffers begins. */
void stack_check_execution(void);

/* Variables of the running thread come to life, with or without contents. */
void stack_check_variable(u64 addr, u64 n);
/* A function of it returns; it calls code that is not instrumented. */
void stack_check_leave(u64 sp, u64 frame);
void stack_check_foreign(u64 sp);

/* The running thread accesses this part of a stack, on store buffers; a store of t is about to
 * leave its buffer. */
void stack_check_access(u64 addr, u64 size, bool write);
void stack_check_commit(struct thread *t, const struct store *s);

/* The running thread has read a value and uses these bytes of it, a bit each. */
void stack_check_value(u64 addr, const u64 value[2], u32 bytes);

#endif
