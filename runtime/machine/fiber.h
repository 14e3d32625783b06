/* SPDX-License-Identifier: ISC */
/*
 * fiber.h - a stack and the few registers that a call must keep: what a thread is while exploring.
 *
 * Stacks lie at fixed addresses (one slot of STACK_STRIDE each, a guard page at the low end), so
 * that re-executions, and other processes, see the same pointers.
 */
#ifndef MACHINE_FIBER_H
#define MACHINE_FIBER_H

#include "base/base.h"

#define FIBER_STACKS	   0x200000000000u
#define FIBER_STACK_STRIDE 0x1000000u /* 16 MiB */
#define FIBER_STACK_SIZE   0x800000u  /* 8 MiB, as Linux gives a thread */
#define FIBER_GUARD	   0x10000u

struct fiber {
	void *sp; /* callee-saved registers and the return address lie there */
	u64 tls;  /* FS base, see tls.h; 0 = the OS thread's own */
	int saved_errno;
};

/* The high end of slot's stack; maps it on first use. NULL when memory is short. */
void *fiber_stack(unsigned slot);

/* Which slot's guard page does the address lie in? -1: in none. */
int fiber_guard_slot(u64 address);

/* Make f start in entry() on the given stack when it is next switched to. entry never returns. */
void fiber_start(struct fiber *f, void *stack_end, void (*entry)(void));

/* Save where we are in *from and go on where *to was saved (fiber_x86_64.S). */
void fiber_switch_sp(void **from, void *to);

/* The same, with thread-local storage. */
void fiber_switch(struct fiber *from, struct fiber *to);

#endif
