/* SPDX-License-Identifier: ISC */
/*
 * fiber.h - a stack and the few registers that a call must keep: what a thread is while exploring.
 *
 * Stacks lie at fixed addresses (one slot of FIBER_STACK_STRIDE each, a guard page at the low end),
 * so that re-executions, and other processes, see the same pointers.
 */
#ifndef PROCESS_FIBER_H
#define PROCESS_FIBER_H

#include "base/base.h"
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
	u64 tls;  /* FS base, see tls.h; 0 = the OS thread's own */
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

/* Which slot's guard page does the address lie in? -1: in none. */
int fiber_guard_slot(u64 address);

/* What a switch pops: registers and the address to go on at (fiber_jump, fiber_switch_sp). */
#if defined(__x86_64__)
#define FIBER_SAVED_WORDS 1
#define FIBER_SAVED_ENTRY 0
#define FIBER_FIRST_WORDS 7 /* where fiber_first() finds what to call */
#elif defined(__aarch64__)
#define FIBER_SAVED_WORDS 20
#define FIBER_SAVED_ENTRY 11 /* x30 */
#endif

/* Where a fiber begins: clears the registers that a call keeps, so that what is saved of them does
 * not depend on who came before; calls the word 48 bytes above the stack pointer. */
void fiber_first(void);

/* Make f start in entry() on the given stack when it is next switched to. entry never returns. On
 * x86-64 the stack pointer is then 8 mod 16, as after a call. */
static inline void fiber_start(struct fiber *f, void *stack_end, void (*entry)(void))
{
	u64 *sp = (u64 *)stack_end - 8 - (FIBER_SAVED_WORDS - 1);

	for (int i = 0; i < 8 + FIBER_SAVED_WORDS - 1; i++) /* zero words end a backtrace */
		sp[i] = 0;
#if defined(__x86_64__)
	sp[FIBER_FIRST_WORDS] = (u64)(uintptr_t)entry;
	entry = fiber_first;
#endif
	sp[FIBER_SAVED_ENTRY] = (u64)(uintptr_t)entry;
	f->sp = sp;
}

/* Save where we are in *from and go on where *to was saved (fiber_aarch64.S). */
void fiber_switch_sp(void **from, void *to);

/*
 * The same, inline: the compiler saves what it needs around it, so the switch itself is two pushes,
 * and its jump always goes to the same place, which the branch predictor likes. A suspended fiber's
 * stack holds: the address to go on at, rbx, rbp.
 */
static inline __attribute__((always_inline)) void fiber_jump(void **from, void *to)
{
#if defined(__x86_64__)
	__asm__ volatile("pushq %%rbp\n\t"
			 "pushq %%rbx\n\t"
			 "leaq 1f(%%rip), %%rax\n\t"
			 "pushq %%rax\n\t"
			 "movq %%rsp, (%%rdi)\n\t"
			 "movq %%rsi, %%rsp\n\t"
			 "popq %%rax\n\t"
			 "jmpq *%%rax\n"
			 "1:\n\t"
			 "endbr64\n\t"
			 "popq %%rbx\n\t"
			 "popq %%rbp\n\t"
			 : "+D"(from), "+S"(to)
			 :
			 : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
			 "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
			 "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc",
			 "memory");
#else
	fiber_switch_sp(from, to);
#endif
}

extern int *fiber_errno; /* of the OS thread that all fibers run on */

/* Switch, with thread-local storage. */
static inline __attribute__((always_inline)) void fiber_switch(
	struct fiber *from, struct fiber *to)
{
	if (likely(tls_mode == TLS_ERRNO)) {
		from->saved_errno = *fiber_errno;
		*fiber_errno = to->saved_errno;
	} else {
		tls_switch(to->tls);
	}
	fiber_jump(&from->sp, to->sp);
}

#endif
