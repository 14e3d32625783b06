/* SPDX-License-Identifier: ISC */
/* inline.h - AArch64: the inline part of arch.h. */
#ifndef ARCH_AARCH64_INLINE_H
#define ARCH_AARCH64_INLINE_H

#include "arch/arch.h"

static inline long arch_syscall(long number, long a, long b, long c, long d)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
}

static inline u64 arch_signal_code(const void *context)
{
	return *(const u64 *)((const char *)context + 440); /* context.c checks it */
}

/* 32 bytes at a time, then single ones. */
static inline void arch_copy(void *to, const void *from, size_t n)
{
	__asm__ volatile("b 2f\n"
			 "1:\n\t"
			 "ldp q0, q1, [%1], #32\n\t"
			 "stp q0, q1, [%0], #32\n"
			 "2:\n\t"
			 "subs %2, %2, #32\n\t"
			 "b.hs 1b\n\t"
			 "adds %2, %2, #32\n\t"
			 "b.eq 4f\n"
			 "3:\n\t"
			 "ldrb w4, [%1], #1\n\t"
			 "strb w4, [%0], #1\n\t"
			 "subs %2, %2, #1\n\t"
			 "b.ne 3b\n"
			 "4:"
			 : "+r"(to), "+r"(from), "+r"(n)
			 :
			 : "x4", "v0", "v1", "cc", "memory");
}

static inline void arch_fill(void *to, u8 byte, size_t n)
{
	__asm__ volatile("dup v0.16b, %w2\n\t"
			 "b 2f\n"
			 "1:\n\t"
			 "stp q0, q0, [%0], #32\n"
			 "2:\n\t"
			 "subs %1, %1, #32\n\t"
			 "b.hs 1b\n\t"
			 "adds %1, %1, #32\n\t"
			 "b.eq 4f\n"
			 "3:\n\t"
			 "strb %w2, [%0], #1\n\t"
			 "subs %1, %1, #1\n\t"
			 "b.ne 3b\n"
			 "4:"
			 : "+r"(to), "+r"(n)
			 : "r"(byte)
			 : "v0", "cc", "memory");
}

/* A failed one stores what it has read: only that proves that both words were read at once. */
static inline bool arch_cas16(void *p, u128 *expected, u128 desired)
{
	u64 low, high;
	u32 ok;

	__asm__ volatile("1:\n\t"
			 "ldaxp %0, %1, [%3]\n\t"
			 "cmp %0, %4\n\t"
			 "ccmp %1, %5, #0, eq\n\t"
			 "b.ne 2f\n\t"
			 "stlxp %w2, %6, %7, [%3]\n\t"
			 "cbnz %w2, 1b\n\t"
			 "mov %w2, #1\n\t"
			 "b 3f\n"
			 "2:\n\t"
			 "stlxp %w2, %0, %1, [%3]\n\t"
			 "cbnz %w2, 1b\n"
			 "3:"
			 : "=&r"(low), "=&r"(high), "=&r"(ok)
			 : "r"(p), "r"((u64)*expected), "r"((u64)(*expected >> 64)),
			 "r"((u64)desired), "r"((u64)(desired >> 64))
			 : "cc", "memory");
	if (!ok)
		*expected = (u128)high << 64 | low;
	return ok;
}

static inline u64 arch_cycles(void)
{
	u64 now;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(now));
	return now;
}

static inline void arch_pause(void)
{
	__asm__ volatile("yield");
}

static inline void arch_breakpoint(void)
{
	__asm__ volatile("brk #0");
}

static inline void arch_code_write(arch_code *at, arch_code to)
{
	*at = to;
	__builtin___clear_cache((char *)at, (char *)(at + 1));
}

/* --- the thread pointer ---------------------------------------------------------------------- */

static inline bool arch_may_set_tp(void)
{
	return true;
}

static inline void arch_set_tp(u64 tp)
{
	__asm__ volatile("msr tpidr_el0, %0" : : "r"(tp) : "memory");
}

static inline void arch_set_tp_by_kernel(u64 tp)
{
	arch_set_tp(tp);
}

/* --- stacks ---------------------------------------------------------------------------------- */

#define ARCH_FIRST_WORD 7 /* where arch_first() finds the function to call */

/* Where a stack begins: clears the callee-saved registers, so that their saved values do not
 * depend on earlier code; calls the word 56 bytes above the stack pointer. */
void arch_first(void);

static inline void *arch_stack_begin(void *stack_end, void (*entry)(void))
{
	u64 *sp = (u64 *)stack_end - 8;

	for (int i = 0; i < 8; i++)
		sp[i] = 0;
	sp[ARCH_FIRST_WORD] = (u64)(uintptr_t)entry;
	sp[0] = (u64)(uintptr_t)arch_first;
	return sp;
}

/*
 * The compiler saves its registers around it, but those that the runtime leaves alone (flags). A
 * stack that was left holds: the address to continue at, x19, x29, zero, d8 to d15
 * (arch_context_of_stack(), arch_kept()).
 */
static inline __attribute__((always_inline)) void arch_jump(void **from, void *to)
{
	register void **x0 __asm__("x0") = from;
	register void *x1 __asm__("x1") = to;

	__asm__ volatile("adr x2, 1f\n\t"
			 "stp x2, x19, [sp, #-96]!\n\t"
			 "stp x29, xzr, [sp, #16]\n\t"
			 "stp d8, d9, [sp, #32]\n\t"
			 "stp d10, d11, [sp, #48]\n\t"
			 "stp d12, d13, [sp, #64]\n\t"
			 "stp d14, d15, [sp, #80]\n\t"
			 "mov x2, sp\n\t"
			 "str x2, [x0]\n\t"
			 "mov sp, x1\n\t"
			 "ldr x2, [sp]\n\t"
			 "br x2\n"
			 "1:\n\t"
			 "hint #36\n\t" /* bti j */
			 "ldr x19, [sp, #8]\n\t"
			 "ldr x29, [sp, #16]\n\t"
			 "ldp d8, d9, [sp, #32]\n\t"
			 "ldp d10, d11, [sp, #48]\n\t"
			 "ldp d12, d13, [sp, #64]\n\t"
			 "ldp d14, d15, [sp, #80]\n\t"
			 "add sp, sp, #96"
			 : "+r"(x0), "+r"(x1)
			 :
			 : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
			 "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x20", "x21", "x22",
			 "x23", "x24", "x25", "x26", "x27", "x28", "x30", "v0", "v1", "v2", "v3",
			 "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22",
			 "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", "cc",
			 "memory");
}

/* --- floating point --------------------------------------------------------------------------- */

static inline void arch_floats_read(struct arch_floats *now)
{
	__asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(now->control), "=r"(now->status));
}

static inline __attribute__((always_inline)) void arch_floats_switch(
	struct arch_floats *from, const struct arch_floats *to)
{
	arch_floats_read(from);
	if (__builtin_expect(from->control != to->control || from->status != to->status, 0))
		arch_floats_load(to);
}

#endif
