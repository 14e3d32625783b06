/* SPDX-License-Identifier: ISC */
/* stack.h - call stacks for reports (libunwind, loaded when first needed). */
#ifndef PROCESS_STACK_H
#define PROCESS_STACK_H

#include "arch/arch.h"

#define STACK_FRAMES 64

/* Load libunwind; false (and a coverage note) if it is not installed. Call before executions. */
bool stack_init(void);

/*
 * The call stack of the caller, innermost first, without frames inside the runtime; interned: equal
 * stacks have equal ids. Returns an id >= 1, or 0 if nothing could be unwound.
 */
u32 stack_capture(void);

/* The same from a signal's ucontext_t. */
u32 stack_capture_signal(void *ucontext);

/* A number of the caller's stack: equal for equal calls, in any thread. 0: unknown. */
u64 stack_site(void);

/* The program's state at its call of the runtime, except memory. */
struct stack_caller {
	u64 ip, sp;    /* return address; the stack pointer there */
	u64 saved[ARCH_SAVED]; /* callee-saved registers */
};

/*
 * Of the caller's own stack, or of a fiber that is not running (its saved stack pointer). False:
 * not known. stack_init() must have been called.
 */
bool stack_caller(const void *fiber_sp, struct stack_caller *c);

/* The same of a fiber that is not running, without libunwind where a stack with the same return
 * addresses in the same places has been unwound before. */
bool stack_caller_again(const void *fiber_sp, struct stack_caller *c);

/* The frames of a stack: return addresses. */
unsigned stack_frames(u32 id, const u64 **frames);

/* The call among them whose frame holds `address`: its index, and the frame's two ends: the stack
 * pointer there and the one of its caller (the canonical frame address). False if there is none. */
bool stack_frame_of(u32 id, u64 address, u32 *frame, u64 *sp, u64 *cfa);

/* Do all of its frames lie at `address' or above? */
bool stack_is_above(u32 id, u64 address);

unsigned stack_count(void);
void stack_clear(void);

#endif
