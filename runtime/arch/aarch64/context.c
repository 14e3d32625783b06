/* SPDX-License-Identifier: ISC */
/* context.c - AArch64: contexts, the first frame of a stack, instructions. */
#define UNW_LOCAL_ONLY
#include "arch/arch.h"

#include <asm/sigcontext.h>
#include <dlfcn.h>
#include <libunwind.h>
#include <setjmp.h>
#include <ucontext.h>

#define STRING_(x) #x
#define STRING(x)  STRING_(x)
#define REGISTERS  184 /* in a context */

_Static_assert(offsetof(ucontext_t, uc_mcontext.regs) == REGISTERS &&
		       offsetof(ucontext_t, uc_mcontext.sp) == REGISTERS + 8 * 31 &&
		       offsetof(ucontext_t, uc_mcontext.pc) == REGISTERS + 8 * 32,
	"as in arch_context_here()");

__asm__(".pushsection .text\n"
	".globl arch_first\n"
	".hidden arch_first\n"
	".type arch_first, @function\n"
	"arch_first:\n\t"
	"hint #36\n\t" /* bti j */
	".irp n, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30\n\t"
	"mov x\\n, #0\n\t"
	".endr\n\t"
	".irp n, 8, 9, 10, 11, 12, 13, 14, 15\n\t"
	"fmov d\\n, xzr\n\t"
	".endr\n\t"
	"ldr x1, [sp, #56]\n\t"
	"br x1\n\t"
	".size arch_first, . - arch_first\n"
	".globl arch_context_here\n"
	".hidden arch_context_here\n"
	".type arch_context_here, @function\n"
	"arch_context_here:\n\t"
	"hint #34\n\t" /* bti c */
	"add x1, x0, #" STRING(REGISTERS) "\n\t"
	"stp x19, x20, [x1, #8 * 19]\n\t"
	"stp x21, x22, [x1, #8 * 21]\n\t"
	"stp x23, x24, [x1, #8 * 23]\n\t"
	"stp x25, x26, [x1, #8 * 25]\n\t"
	"stp x27, x28, [x1, #8 * 27]\n\t"
	"stp x29, x30, [x1, #8 * 29]\n\t"
	"mov x2, sp\n\t"
	"stp x2, x30, [x1, #8 * 31]\n\t" /* and the program counter */
	"ret\n\t"
	".size arch_context_here, . - arch_context_here\n"
	".popsection");

/* --- contexts -------------------------------------------------------------------------------- */

/* Words that arch_jump() leaves on a stack; bytes of the instructions after which they are gone. */
#define JUMP_WORDS 12
#define JUMP_POPS  32
#define JUMP_KEPT  4 /* the word from which on d8 to d15 are there */

#define CONDITIONS 0xf0000000u /* of the processor's state: negative, zero, carry, overflow */

static const mcontext_t *machine(const void *context)
{
	return &((const ucontext_t *)context)->uc_mcontext;
}

static mcontext_t *machine_of(void *context)
{
	return &((ucontext_t *)context)->uc_mcontext;
}

u64 arch_context_pc(const void *context)
{
	return machine(context)->pc;
}

u64 arch_context_sp(const void *context)
{
	return machine(context)->sp;
}

void arch_context_copy(void *to, const void *from)
{
	arch_copy(machine_of(to), machine(from), sizeof(mcontext_t));
}

/* The first record: the kernel always has it there. */
static const struct fpsimd_context *vectors(const mcontext_t *m)
{
	return (const struct fpsimd_context *)m->__reserved;
}

static bool same_vectors(const struct fpsimd_context *a, const struct fpsimd_context *b)
{
	bool same = a->fpsr == b->fpsr && a->fpcr == b->fpcr;

	for (int i = 0; i < 32; i++)
		same &= a->vregs[i] == b->vregs[i];
	return same;
}

bool arch_context_same(const void *a, const void *b)
{
	const mcontext_t *x = machine(a), *y = machine(b);

	for (int i = 0; i < 31; i++)
		if (x->regs[i] != y->regs[i])
			return false;
	return x->sp == y->sp && x->pc == y->pc && !((x->pstate ^ y->pstate) & CONDITIONS) &&
	       same_vectors(vectors(x), vectors(y));
}

bool arch_context_step(void *context, bool on)
{
	return false;
}

void arch_context_call(void *context, void (*function)(void))
{
	mcontext_t *m = machine_of(context);

	m->sp &= ~15ull;
	m->pc = (u64)(uintptr_t)function;
}

void arch_context_of_stack(void *context, const void *sp)
{
	const u64 *words = sp;
	mcontext_t *m = machine_of(context);

	m->pc = words[0] + JUMP_POPS;
	m->regs[19] = words[1];
	m->regs[29] = words[2];
	m->sp = (u64)(uintptr_t)(words + JUMP_WORDS);
}

/* --- breakpoints ------------------------------------------------------------------------------ */

static bool is_compare_and_branch(u32 i)
{
	return (i & 0x7e000000) == 0x34000000; /* cbz, cbnz */
}

static bool is_test_and_branch(u32 i)
{
	return (i & 0x7e000000) == 0x36000000; /* tbz, tbnz */
}

static bool is_conditional(u32 i)
{
	return (i & 0xff000010) == 0x54000000 && (i & 15) < 14; /* b.cond */
}

bool arch_is_branch(const arch_code *code)
{
	return is_compare_and_branch(*code) || is_test_and_branch(*code) || is_conditional(*code);
}

void arch_break_retry(void *context)
{
}

/* Arm's manual, C1.2.4: the lowest bit negates. */
static bool holds_condition(u32 condition, u64 state)
{
	bool n = state >> 31 & 1, z = state >> 30 & 1, c = state >> 29 & 1, v = state >> 28 & 1;
	bool holds = true;

	switch (condition >> 1) {
	case 0: holds = z; break;
	case 1: holds = c; break;
	case 2: holds = n; break;
	case 3: holds = v; break;
	case 4: holds = c && !z; break;
	case 5: holds = n == v; break;
	case 6: holds = n == v && !z; break;
	}
	return holds != (condition & 1);
}

static bool is_branch_taken(const mcontext_t *m, u32 i)
{
	u32 number = i & 31;
	u64 v = number == 31 ? 0 : m->regs[number];

	if (is_conditional(i))
		return holds_condition(i & 15, m->pstate);
	if (is_test_and_branch(i))
		v &= 1ull << ((i >> 31 << 5) | (i >> 19 & 31));
	else if (!(i >> 31))
		v = (u32)v;
	return (v != 0) == (i >> 24 & 1);
}

/* The distance is in words, of 14 or 19 bits, above the lowest five. */
bool arch_break_branch(void *context, arch_code first)
{
	mcontext_t *m = machine_of(context);
	bool taken = is_branch_taken(m, first);
	int bits = is_test_and_branch(first) ? 14 : 19;
	i64 distance = (i64)((u64)first << (64 - 5 - bits)) >> (64 - bits);

	m->pc += taken ? (u64)(4 * distance) : 4;
	return taken;
}

/* --- floating point --------------------------------------------------------------------------- */

const struct arch_floats arch_floats_initial = {0, 0};

u64 arch_floats_word(const struct arch_floats *floats)
{
	return floats->control;
}

/* msr fpcr, msr fpsr: d51b4400, d51b4420, and a register. */
bool arch_loads_floats(const u8 *c)
{
	return ((uintptr_t)c & 3) == 1 && (c[-1] & 0xc0) == 0 && c[1] == 0x1b && c[2] == 0xd5;
}

void arch_floats_load(const struct arch_floats *to)
{
	__asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(to->control), "r"(to->status));
}

/* --- calls and jumps -------------------------------------------------------------------------- */

/* glibc keeps the stack pointer xored with a word of the dynamic linker
 * (sysdeps/unix/sysv/linux/aarch64: PTR_MANGLE). */
u64 arch_longjmp_sp(const struct __jmp_buf_tag *to)
{
	static const u64 *guard;

	if (!guard)
		guard = dlvsym(RTLD_DEFAULT, "__pointer_chk_guard", "GLIBC_PRIVATE");
	return to->__jmpbuf[13] ^ (guard ? *guard : 0);
}

static u32 code_before(const u8 *c)
{
	u32 i;

	__builtin_memcpy(&i, c - 4, sizeof i);
	return i;
}

u64 arch_called(u64 return_address)
{
	u32 i = code_before((const u8 *)(uintptr_t)return_address);

	return i >> 26 == 0x25 ? return_address - 4 + (u64)(((i64)((u64)i << 38) >> 38) * 4) : 0;
}

/* bl; blr, also with a signature */
bool arch_is_behind_call(const u8 *c)
{
	u32 i;

	if ((uintptr_t)c & 3)
		return false;
	i = code_before(c);
	return i >> 26 == 0x25 || (i & 0xfffffc1f) == 0xd63f0000 || (i & 0xfefff800) == 0xd63f0800;
}

/* svc and the like; instructions on system registers but the thread pointer and those of floating
 * point, which are kept for each thread. */
bool arch_is_external(const u8 *c)
{
	u32 i = code_before(c + 4), number = i >> 5 & 0x7fff;

	if (i >> 24 == 0xd4)
		return true;
	return (i & 0xfff00000) == 0xd5300000 && number != 0x5e82 && (number & 0x7ffe) != 0x5a20;
}

const int arch_unwind_saved[ARCH_UNWOUND] = {UNW_AARCH64_X19, UNW_AARCH64_X29, UNW_AARCH64_X20,
	UNW_AARCH64_X21, UNW_AARCH64_X22, UNW_AARCH64_X23, UNW_AARCH64_X24, UNW_AARCH64_X25,
	UNW_AARCH64_X26, UNW_AARCH64_X27, UNW_AARCH64_X28};

void arch_kept(const void *sp, u64 *to)
{
	if (sp)
		__builtin_memcpy(to, (const u64 *)sp + JUMP_KEPT, 8 * sizeof *to);
	else
		__asm__ volatile("stp d8, d9, [%0]\n\t"
				 "stp d10, d11, [%0, #16]\n\t"
				 "stp d12, d13, [%0, #32]\n\t"
				 "stp d14, d15, [%0, #48]"
				 :
				 : "r"(to)
				 : "memory");
}
