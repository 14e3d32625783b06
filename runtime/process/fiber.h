/* SPDX-License-Identifier: ISC */
/*
 * fiber.h - a stack and the callee-saved registers: a thread while exploring.
 *
 * Stacks lie at fixed addresses (one slot of FIBER_STACK_STRIDE each, a guard page at the low end),
 * so that re-executions, and other processes, see the same pointers.
 */
#ifndef PROCESS_FIBER_H
#define PROCESS_FIBER_H

#include "arch/arch.h"
#include "process/tls.h"

#define FIBER_STACKS	   0x200000000000u
#define FIBER_STACK_STRIDE 0x1000000u /* 16 MiB */
#define FIBER_STACK_SIZE   0x800000u  /* 8 MiB, as Linux gives a thread */
#define FIBER_GUARD	   0x10000u

/* The lowest address of a slot, where its guard page is; the end of its stack. */
static inline u64 fiber_low(unsigned slot)
{
	return FIBER_STACKS + (u64)slot * FIBER_STACK_STRIDE;
}

static inline u64 fiber_end(unsigned slot)
{
	return fiber_low(slot) + FIBER_GUARD + FIBER_STACK_SIZE;
}

struct fiber {
	void *sp; /* callee-saved registers and the return address lie there */
	u64 tls;  /* thread pointer, see tls.h; 0 = the OS thread's own */
	int saved_errno;
};

/* Called by the OS thread that is going to run the fibers. */
void fiber_init(void);

/* The high end of slot's stack, once it is mapped; NULL when memory is short. */
void *fiber_stack_map(unsigned slot);

extern bool fiber_mapped[THREADS_MAX]; /* by slot */

/* The high end of slot's stack; maps it on first use. NULL when memory is short. */
static inline void *fiber_stack(unsigned slot)
{
	if (unlikely(!fiber_mapped[slot]))
		return fiber_stack_map(slot);
	return (void *)fiber_end(slot);
}

/* The slot whose guard page has the address; -1: none. */
int fiber_guard_slot(u64 address);

/* Make f start in entry() on the given stack when it is next switched to. entry never returns. */
static inline void fiber_start(struct fiber *f, void *stack_end, void (*entry)(void))
{
	f->sp = arch_stack_begin(stack_end, entry);
}

extern int *fiber_errno; /* of the OS thread that all fibers run on */

/* Switch, including thread-local storage. */
static inline __attribute__((always_inline)) void fiber_switch(
	struct fiber *from, struct fiber *to)
{
	if (likely(tls_mode == TLS_ERRNO)) {
		from->saved_errno = *fiber_errno;
		*fiber_errno = to->saved_errno;
	} else {
		tls_switch(to->tls);
	}
	arch_jump(&from->sp, to->sp);
}

#endif
