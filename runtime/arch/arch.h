/* SPDX-License-Identifier: ISC */
/*
 * arch.h - the code that depends on the processor: all that a port has to provide.
 *
 * A port is a folder beside x86_64/, and a row of arch/ports.h. It has port.h, with the macros
 * below, the types arch_code, of a breakpoint, and struct arch_floats; inline.h, with the functions
 * that are static inline; context.c, with the others; entry.S, with the macros of arch/entry.def:
 * the entry stubs of the program's loads, RMWs, CASes and lock attempts. A file `flags' has the
 * compiler's flags for the runtime, if there are any. It assumes glibc, 64-bit addresses and
 * atomics of 16 bytes.
 * Besides, inline assembly is read by a table (instrument/asm_x86.c) and, compiled by gcc, carried
 * out by intercept/x86_64/assembly.c; and each test whose comment names registers or instructions
 * needs a counterpart.
 *
 * Macros of port.h:
 * - ARCH_NAME: as in arch/ports.h.
 * - ARCH_TP_FEATURE: the feature by which user mode can set the thread pointer, for `heddle
 * doctor`.
 * - ARCH_BELOW_FRAME: bytes below the frame address of a function that saves all such registers
 *   (__builtin_unwind_init()), in which they are;
 * - ARCH_SAVED: how many registers a call keeps besides the stack pointer; an entry stub pushes
 * them, below the return address. ARCH_UNWOUND: so many of them libunwind knows.
 * - ARCH_RED_ZONE: bytes below the stack pointer that belong to a function.
 * - ARCH_SPIN_FREE: a pthread_spinlock_t that is free, in glibc.
 * - ARCH_ASSEMBLY, ARCH_MODEL: the machine's name where assembly is mentioned; its memory model.
 * - ARCH_HERE: assembly, for LLVM: the address behind it, into $0.
 * - ARCH_FLOATS_BYTE: see arch_loads_floats().
 * - ARCH_BREAK, ARCH_BREAK_SIZE: a breakpoint, which is put in place of an instruction or of its
 * beginning, and the bytes after which a handler finds the program.
 * - ARCH_ADDRESSES: bits of an address.
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include "base/base.h"

#if defined(__x86_64__)
#include "arch/x86_64/port.h"
#elif defined(__aarch64__)
#include "arch/aarch64/port.h"
#else
#error "no port to this processor: runtime/arch/arch.h"
#endif

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

/* The floating-point environment (struct arch_floats) of the code that is running. */
static inline void arch_floats_read(struct arch_floats *now);

/* Keep it in *from, and go on with *to. */
static inline __attribute__((always_inline)) void arch_floats_switch(
	struct arch_floats *from, const struct arch_floats *to);

/* The same, when *to surely differs. */
void arch_floats_load(const struct arch_floats *to);

/* Is the code around this byte, ARCH_FLOATS_BYTE, an instruction that loads the environment? */
bool arch_loads_floats(const u8 *c);

/* Its rounding and traps, as a word. */
u64 arch_floats_word(const struct arch_floats *floats);

/* Of a process that begins. */
extern const struct arch_floats arch_floats_initial;

struct __jmp_buf_tag;

/* The function that was called directly, with this return address; 0: not so. */
u64 arch_called(u64 return_address);

/* The stack pointer after a longjmp(). */
u64 arch_longjmp_sp(const struct __jmp_buf_tag *to);

/* --- contexts -------------------------------------------------------------------------------- */

/* A context is a ucontext_t: a signal's, or where unwinding begins. */
u64 arch_context_pc(const void *context);
/* The same inline, of a signal's. */
static inline u64 arch_signal_code(const void *context);
u64 arch_context_sp(const void *context);

/* All registers: copied, compared. */
void arch_context_copy(void *to, const void *from);
bool arch_context_same(const void *a, const void *b);

/* Make the thread trap after each instruction, or stop that. False: user mode cannot. */
bool arch_context_step(void *context, bool on);

/* The thread calls the function when the signal's handler returns; it must not return. */
void arch_context_call(void *context, void (*function)(void));

/* The context of a stack that arch_jump() has left. */
void arch_context_of_stack(void *context, const void *sp);

/* Is the instruction a conditional branch that arch_break_branch() can execute? */
bool arch_is_branch(const arch_code *code);

/* Set a breakpoint there, or restore the code. */
static inline void arch_code_write(arch_code *at, arch_code to);

/* In a handler, at a breakpoint: continue at the instruction that was there before; or execute it,
 * a conditional branch that began with `first'. Returns whether it jumps. */
void arch_break_retry(void *context);
bool arch_break_branch(void *context, arch_code first);

/* For libunwind: the context of the caller, as it is after the call. */
void arch_context_here(void *context);

/* The numbers that libunwind has for the registers that a call keeps; the first two are in the
 * words 1 and 2 of a stack that arch_jump() has left. */
extern const int arch_unwind_saved[];

/* The other ones, ARCH_SAVED - ARCH_UNWOUND, which the runtime is compiled not to use: of a stack
 * that arch_jump() has left; NULL: now. */
void arch_kept(const void *sp, u64 *to);

#if defined(__x86_64__)
#include "arch/x86_64/inline.h"
#elif defined(__aarch64__)
#include "arch/aarch64/inline.h"
#endif

#endif
