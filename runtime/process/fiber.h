/* SPDX-License-Identifier: ISC */
/*
 * fiber.h - a stack and the callee-saved registers: a thread while exploring.
 *
 * Stacks lie at fixed addresses (one slot of FIBER_STACK_STRIDE each), so that re-executions, and
 * other processes, see the same pointers. Their high end does not depend on their size; nothing
 * else is mapped below them. Pages are allocated when they are touched.
 */
#ifndef PROCESS_FIBER_H
#define PROCESS_FIBER_H

#include "arch/arch.h"
#include "process/tls.h"

#define FIBER_STACKS	   0x200000000000u
#define FIBER_STACK_STRIDE 0x80000000u /* 2 GiB */
#define FIBER_GUARD	   0x10000u    /* unmapped, above each stack; and below, at least */
#define FIBER_COLOURS	   16u
#define FIBER_COLOUR	   (FIBER_GUARD / FIBER_COLOURS) /* bytes; of whole pages */
#define FIBER_STACK_MAX	   (FIBER_STACK_STRIDE - 3 * FIBER_GUARD)
#define FIBER_STACK_MIN	   0x40000u

/* The lowest address of a slot; the end of its stack. */
static inline u64 fiber_low(unsigned slot)
{
	return FIBER_STACKS + (u64)slot * FIBER_STACK_STRIDE;
}

/*
 * The ends are at different offsets in their slots. The level 1 data cache of AMD's Zen looks a
 * line up by a hash of the lower 28 bits of its address, and keeps only one line of each hash in a
 * set: the stacks of two threads would evict each other (Lipp et al., Take A Way, AsiaCCS 2020).
 */
static inline u64 fiber_end(unsigned slot)
{
	return fiber_low(slot) + FIBER_STACK_STRIDE - FIBER_GUARD -
	       slot % FIBER_COLOURS * FIBER_COLOUR;
}

struct fiber {
	void *sp; /* callee-saved registers and the return address lie there */
	u64 tls;  /* thread pointer, see tls.h; 0 = the OS thread's own */
	int saved_errno;
	struct arch_floats floats;
};

/* Called by the OS thread that is going to run the fibers; `stack`: --stack, bytes. */
void fiber_init(u64 stack);

/* The high end of slot's stack, once so much of it is mapped; NULL when memory is short. */
void *fiber_stack_map(unsigned slot, u64 size);

extern u32 fiber_default;	     /* bytes of a stack at least */
extern u32 fiber_mapped[THREADS_MAX]; /* by slot: bytes */

/* The high end of slot's stack of at least `size` bytes, FIBER_STACK_MAX at most; maps it on first
 * use. NULL when memory is short. */
static inline void *fiber_stack(unsigned slot, u64 size)
{
	if (unlikely(fiber_mapped[slot] < fiber_default || fiber_mapped[slot] < size))
		return fiber_stack_map(slot, size);
	return (void *)fiber_end(slot);
}

/* The slot whose stack overflows at this address; -1: none. */
int fiber_guard_slot(u64 address);

/* Make f start in entry() on the given stack when it is next switched to. entry never returns. */
static inline void fiber_start(struct fiber *f, void *stack_end, void (*entry)(void))
{
	f->sp = arch_stack_begin(stack_end, entry);
}

extern int *fiber_errno; /* of the OS thread that all fibers run on */
extern bool fiber_floats; /* each has its floating-point environment (floats.h) */

/* Switch, including thread-local storage, and the floating-point environment if that matters. */
static inline __attribute__((always_inline)) void fiber_switch(
	struct fiber *from, struct fiber *to)
{
	if (likely(tls_mode == TLS_ERRNO)) {
		from->saved_errno = *fiber_errno;
		*fiber_errno = to->saved_errno;
	} else {
		tls_switch(to->tls);
	}
	if (unlikely(fiber_floats))
		arch_floats_switch(&from->floats, &to->floats);
	arch_jump(&from->sp, to->sp);
}

#endif
