/* SPDX-License-Identifier: ISC */
/*
 * arch.h - the code that depends on the processor: all that a port has to provide.
 *
 * A port is a folder beside x86_64/. It has inline.h, with the functions below that are static
 * inline and the macros; context.c, with the others; entry.S, with the entry stubs of the program's
 * loads, RMWs, CASes and lock attempts (explained there). It assumes glibc, 64-bit addresses and
 * atomics of 16 bytes. Besides, inline assembly is read by a table
 * (instrument/asm_x86.c) and, compiled by gcc, carried out by intercept/assembly.c; and each test
 * whose comment names registers or instructions needs a counterpart.
 *
 * Macros of inline.h:
 * - ARCH_SAVED: how many registers a call keeps besides the stack pointer; an entry stub pushes
 * them, below the return address.
 * - ARCH_RED_ZONE: bytes below the stack pointer that belong to a function.
 * - ARCH_SPIN_FREE: a pthread_spinlock_t that is free, in glibc.
 * - ARCH_ASSEMBLY, ARCH_MODEL: the machine's name where assembly is mentioned; its memory model.
 * - ARCH_TARGET: how a compiler's target begins.
 * - ARCH_CFLAGS: makes a compiler inline atomics of 16 bytes.
 * - ARCH_NO_RED_ZONE: has it not use the memory below the stack pointer.
 * - ARCH_ELF_MACHINE: e_machine.
 * - ARCH_DWARF_SP, ARCH_DWARF_FRAME: the numbers of stack pointer and frame pointer in DWARF.
 * - ARCH_TP_FEATURE: the feature by which user mode can set the thread pointer, for `heddle
 * doctor`.
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include "base/base.h"

/* --- instructions ---------------------------------------------------------------------------- */

/* A system call; -errno on failure. */
static inline long arch_syscall(long number, long a, long b, long c, long d);

/* Copy n bytes, many; fill n bytes. Neither calls libc. */
static inline void arch_copy(void *to, const void *from, size_t n);
static inline void arch_fill(void *to, u8 byte, size_t n);

/* Compare-and-exchange of 16 bytes, sequentially consistent. */
static inline bool arch_cas16(void *p, u128 *expected, u128 desired);

/* The hint of a spin loop. */
static inline void arch_pause(void);

/* The time-stamp counter. */
static inline u64 arch_cycles(void);

/* Stops in a debugger. */
static inline void arch_breakpoint(void);

/* Is the instruction before c a call? */
bool arch_is_behind_call(const u8 *c);

/* May the instruction's effect depend on more than registers and memory: on time, on the kernel? */
bool arch_is_external(const u8 *c);

/* --- threads --------------------------------------------------------------------------------- */

/* Can user mode set the thread pointer? Else the kernel has to. */
static inline bool arch_may_set_tp(void);
static inline void arch_set_tp(u64 tp);
static inline void arch_set_tp_by_kernel(u64 tp);

/* A stack on which arch_jump() begins with entry(), which never returns: the stack pointer. The
 * registers that a call keeps are zero then, and zero words end a backtrace. */
static inline void *arch_stack_begin(void *stack_end, void (*entry)(void));

/* Leave the stack, at *from, for another that was left or has begun like that. */
static inline __attribute__((always_inline)) void arch_jump(void **from, void *to);

/* The floating-point environment: the direction of rounding, traps, and the flags of exceptions. */
struct arch_floats {
	u32 sse;
	u16 x87_control, x87_flags;
};

/* That of the code that is running. */
static inline void arch_floats_read(struct arch_floats *now);

/* Keep it in *from, and go on with *to. */
static inline __attribute__((always_inline)) void arch_floats_switch(
	struct arch_floats *from, const struct arch_floats *to);

/* The same, when *to surely differs. */
void arch_floats_load(const struct arch_floats *to);

/* Is the code around this byte, ARCH_FLOATS_BYTE, an instruction that loads the environment? */
bool arch_loads_floats(const u8 *c);

/* Of a process that begins. */
extern const struct arch_floats arch_floats_initial;

struct __jmp_buf_tag;

/* The stack pointer after a longjmp(). */
u64 arch_longjmp_sp(const struct __jmp_buf_tag *to);

/* --- contexts -------------------------------------------------------------------------------- */

/* A context is a ucontext_t: a signal's, or where unwinding begins. */
u64 arch_context_pc(const void *context);
u64 arch_context_sp(const void *context);

/* All registers: copied, compared. */
void arch_context_copy(void *to, const void *from);
bool arch_context_same(const void *a, const void *b);

/* Make the thread trap after each instruction, or stop that. */
void arch_context_step(void *context, bool on);

/* The thread calls the function when the signal's handler returns; it must not return. */
void arch_context_call(void *context, void (*function)(void));

/* The context of a stack that arch_jump() has left. */
void arch_context_of_stack(void *context, const void *sp);

/* A breakpoint: the byte that is put in place of an instruction's first, and the bytes after which
 * a handler finds the program. */
#define ARCH_BREAK	0xcc
#define ARCH_BREAK_SIZE 1

/* Is the instruction a conditional branch that arch_break_branch() can execute? */
bool arch_is_branch(const u8 *code);

/* In a handler, at a breakpoint: continue at the instruction that was there before; or execute it,
 * a conditional branch whose first byte was `first'. Returns whether it jumps. */
void arch_break_retry(void *context);
bool arch_break_branch(void *context, u8 first);

/* The numbers that libunwind has for the registers that a call keeps. */
extern const int arch_unwind_saved[];

#if defined(__x86_64__)
#include "arch/x86_64/inline.h"
#else
#error "no port to this processor: runtime/arch/arch.h"
#endif

#endif
