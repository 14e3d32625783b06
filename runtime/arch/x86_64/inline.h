/* SPDX-License-Identifier: ISC */
/* inline.h - x86-64: the inline part of arch.h. */
#ifndef ARCH_X86_64_INLINE_H
#define ARCH_X86_64_INLINE_H

#include "arch/arch.h"

#include <sys/auxv.h>
#include <sys/syscall.h>

static inline long arch_syscall(long number, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
}

static inline u64 arch_signal_code(const void *context)
{
	return *(const u64 *)((const char *)context + 168); /* context.c checks it */
}

static inline void arch_copy(void *to, const void *from, size_t n)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

static inline void arch_fill(void *to, u8 byte, size_t n)
{
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(byte) : "memory");
}

static inline bool arch_cas16(void *p, u128 *expected, u128 desired)
{
	u64 low = (u64)*expected, high = (u64)(*expected >> 64);
	bool ok;

	__asm__ volatile("lock cmpxchg16b %1"
			 : "=@ccz"(ok), "+m"(*(u128 *)p), "+a"(low), "+d"(high)
			 : "b"((u64)desired), "c"((u64)(desired >> 64))
			 : "memory");
	if (!ok)
		*expected = (u128)high << 64 | low;
	return ok;
}

static inline u64 arch_cycles(void)
{
	return __builtin_ia32_rdtsc();
}

static inline void arch_pause(void)
{
	__builtin_ia32_pause();
}

static inline void arch_breakpoint(void)
{
	__asm__ volatile("int3");
}

static inline void arch_code_write(arch_code *at, arch_code to)
{
	*at = to;
}

/* --- the thread pointer: the base of FS ------------------------------------------------------ */

static inline bool arch_may_set_tp(void)
{
	return getauxval(AT_HWCAP2) & 2 /* HWCAP2_FSGSBASE */;
}

static inline void arch_set_tp(u64 tp)
{
	__asm__ volatile("wrfsbase %0" : : "r"(tp) : "memory");
}

static inline void arch_set_tp_by_kernel(u64 tp)
{
	arch_syscall(SYS_arch_prctl, 0x1002 /* ARCH_SET_FS */, (long)tp, 0, 0);
}

/* --- stacks ---------------------------------------------------------------------------------- */

#define ARCH_FIRST_WORD 7 /* where arch_first() finds the function to call */

/* Where a stack begins: clears the callee-saved registers, so that their saved values do not
 * depend on earlier code; calls the word 48 bytes above the stack pointer. */
void arch_first(void);

/* The stack pointer is 8 mod 16 in entry(), as after a call. */
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
 * The compiler saves its registers around it, so the switch itself is two pushes, and its jump
 * always goes to the same place, which helps branch prediction. A stack that was left holds: the
 * address to continue at, rbx, rbp (arch_context_of_stack()).
 */
static inline __attribute__((always_inline)) void arch_jump(void **from, void *to)
{
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
}

/* --- floating point --------------------------------------------------------------------------- */

#define ARCH_X87_FLAGS 0x3f

static inline void arch_floats_read(struct arch_floats *now)
{
	u16 status;

	__asm__ volatile("stmxcsr %0\n\t"
			 "fnstcw %1\n\t"
			 "fnstsw %2"
			 : "=m"(now->sse), "=m"(now->x87_control), "=a"(status));
	now->x87_flags = status & ARCH_X87_FLAGS;
}

/* They seldom differ, and loading is slow. */
static inline __attribute__((always_inline)) void arch_floats_switch(
	struct arch_floats *from, const struct arch_floats *to)
{
	arch_floats_read(from);
	if (__builtin_expect(from->sse != to->sse || from->x87_control != to->x87_control ||
			from->x87_flags != to->x87_flags, 0))
		arch_floats_load(to);
}

#endif
