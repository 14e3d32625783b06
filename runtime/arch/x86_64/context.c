/* SPDX-License-Identifier: ISC */
/* context.c - x86-64: contexts, the first frame of a stack, instructions. */
#define UNW_LOCAL_ONLY
#include "arch/arch.h"

#include <libunwind.h>
#include <setjmp.h>
#include <ucontext.h>

__attribute__((naked)) void arch_first(void)
{
	__asm__("endbr64\n\t"
		"xorl %ebx, %ebx\n\t"
		"xorl %ebp, %ebp\n\t"
		"xorl %r12d, %r12d\n\t"
		"xorl %r13d, %r13d\n\t"
		"xorl %r14d, %r14d\n\t"
		"xorl %r15d, %r15d\n\t"
		"movq 48(%rsp), %rax\n\t"
		"jmpq *%rax\n\t");
}

__attribute__((naked)) void arch_context_here(void *context)
{
	__asm__("endbr64\n\t"
		"movq %r12, 72(%rdi)\n\t"
		"movq %r13, 80(%rdi)\n\t"
		"movq %r14, 88(%rdi)\n\t"
		"movq %r15, 96(%rdi)\n\t"
		"movq %rbp, 120(%rdi)\n\t"
		"movq %rbx, 128(%rdi)\n\t"
		"leaq 8(%rsp), %rax\n\t"
		"movq %rax, 160(%rdi)\n\t"
		"movq (%rsp), %rax\n\t"
		"movq %rax, 168(%rdi)\n\t"
		"ret\n\t");
}

#define GREG(n) (offsetof(ucontext_t, uc_mcontext.gregs) + 8 * (n))
_Static_assert(GREG(REG_R12) == 72 && GREG(REG_R13) == 80 && GREG(REG_R14) == 88 &&
		       GREG(REG_R15) == 96 && GREG(REG_RBP) == 120 && GREG(REG_RBX) == 128 &&
		       GREG(REG_RSP) == 160 && GREG(REG_RIP) == 168,
	"as in arch_context_here()");

/* --- contexts -------------------------------------------------------------------------------- */

#define TRAP_FLAG 0x100
#define OWN_FLAGS (TRAP_FLAG | 0x10000) /* and the resume flag: set by the kernel */

/* Words that arch_jump() leaves on a stack; bytes of the instructions that pop two of them. */
#define JUMP_WORDS 3
#define JUMP_POPS  6 /* endbr64, pop, pop */

static const greg_t *registers(const void *context)
{
	return ((const ucontext_t *)context)->uc_mcontext.gregs;
}

static greg_t *registers_of(void *context)
{
	return ((ucontext_t *)context)->uc_mcontext.gregs;
}

u64 arch_context_pc(const void *context)
{
	return (u64)registers(context)[REG_RIP];
}

u64 arch_context_sp(const void *context)
{
	return (u64)registers(context)[REG_RSP];
}

void arch_context_copy(void *to, const void *from)
{
	ucontext_t *t = to;
	const ucontext_t *f = from;

	arch_copy(t->uc_mcontext.gregs, f->uc_mcontext.gregs, sizeof t->uc_mcontext.gregs);
	arch_copy(&t->__fpregs_mem, f->uc_mcontext.fpregs, sizeof t->__fpregs_mem);
	t->uc_mcontext.fpregs = &t->__fpregs_mem;
}

static bool same_floats(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	for (size_t i = 0; i < sizeof(struct _libc_fpstate) / sizeof *x; i++)
		if (x[i] != y[i])
			return false;
	return true;
}

bool arch_context_same(const void *a, const void *b)
{
	const greg_t *x = registers(a), *y = registers(b);

	for (int i = 0; i <= REG_RIP; i++)
		if (x[i] != y[i])
			return false;
	return !((x[REG_EFL] ^ y[REG_EFL]) & ~(greg_t)OWN_FLAGS) &&
	       same_floats(((const ucontext_t *)a)->uc_mcontext.fpregs,
		       ((const ucontext_t *)b)->uc_mcontext.fpregs);
}

bool arch_context_step(void *context, bool on)
{
	greg_t *flags = &registers_of(context)[REG_EFL];

	*flags = on ? *flags | TRAP_FLAG : *flags & ~(greg_t)TRAP_FLAG;
	return true;
}

/* Below the red zone, aligned as after a call. */
void arch_context_call(void *context, void (*function)(void))
{
	greg_t *r = registers_of(context);

	r[REG_RSP] = ((r[REG_RSP] - 128) & ~(greg_t)15) - 8;
	r[REG_RIP] = (greg_t)(uintptr_t)function;
}

void arch_context_of_stack(void *context, const void *sp)
{
	const u64 *words = sp;
	greg_t *r = registers_of(context);

	r[REG_RIP] = (greg_t)(words[0] + JUMP_POPS);
	r[REG_RBX] = (greg_t)words[1];
	r[REG_RBP] = (greg_t)words[2];
	r[REG_RSP] = (greg_t)(words + JUMP_WORDS);
}

/* --- breakpoints ------------------------------------------------------------------------------ */

enum { CARRY = 1 << 0, PARITY = 1 << 2, ZERO = 1 << 6, SIGN = 1 << 7, OVERFLOW = 1 << 11 };

/* jcc rel8, jcc rel32 */
bool arch_is_branch(const arch_code *code)
{
	return code[0] >> 4 == 7 || (code[0] == 0x0f && code[1] >> 4 == 8);
}

void arch_break_retry(void *context)
{
	registers_of(context)[REG_RIP] -= ARCH_BREAK_SIZE;
}

/* Intel's manual, volume 1, appendix B: the condition is in the lower half of the opcode. */
static bool holds_condition(u8 condition, u64 flags)
{
	bool less = !(flags & SIGN) != !(flags & OVERFLOW), holds = false;

	switch (condition >> 1) {
	case 0: holds = flags & OVERFLOW; break;
	case 1: holds = flags & CARRY; break;
	case 2: holds = flags & ZERO; break;
	case 3: holds = flags & (CARRY | ZERO); break;
	case 4: holds = flags & SIGN; break;
	case 5: holds = flags & PARITY; break;
	case 6: holds = less; break;
	case 7: holds = flags & ZERO || less; break;
	}
	return holds != (condition & 1);
}

bool arch_break_branch(void *context, arch_code first)
{
	greg_t *r = registers_of(context);
	const u8 *rest = (const u8 *)(uintptr_t)r[REG_RIP];
	bool wide = first == 0x0f,
	     taken = holds_condition((wide ? rest[0] : first) & 15, (u64)r[REG_EFL]);
	i32 distance = (signed char)rest[0];

	if (wide)
		__builtin_memcpy(&distance, rest + 1, sizeof distance);
	r[REG_RIP] += (wide ? 5 : 1) + (taken ? distance : 0);
	return taken;
}

/* --- floating point --------------------------------------------------------------------------- */

const struct arch_floats arch_floats_initial = {0x1f80, 0x37f, 0};

u64 arch_floats_word(const struct arch_floats *floats)
{
	return floats->sse | (u64)floats->x87_control << 32;
}

/* The byte before it: of the two-byte opcodes, or of a VEX prefix. An operand in memory, /2. */
bool arch_loads_floats(const u8 *c)
{
	return (c[-1] == 0x0f || (c[-1] & 0x7f) == 0x78) &&
	       (c[1] & 0x38) == 0x10 && c[1] < 0xc0;
}

struct x87 {
	u16 control, unused, status, unused2;
	u32 rest[5];
};

void arch_floats_load(const struct arch_floats *to)
{
	struct x87 x;

	__asm__ volatile("ldmxcsr %0" : : "m"(to->sse));
	__asm__ volatile("fnstenv %0" : "=m"(x));
	x.control = to->x87_control;
	x.status = (u16)((x.status & ~ARCH_X87_FLAGS) | to->x87_flags);
	__asm__ volatile("fldenv %0" : : "m"(x));
}

const int arch_unwind_saved[ARCH_UNWOUND] = {UNW_X86_64_RBX, UNW_X86_64_RBP, UNW_X86_64_R12,
	UNW_X86_64_R13, UNW_X86_64_R14, UNW_X86_64_R15};

void arch_kept(const void *sp, u64 *to)
{
}

/* glibc keeps the stack pointer mangled: rotated, and xored with a word of the thread control block
 * (sysdeps/unix/sysv/linux/x86_64: PTR_MANGLE). */
u64 arch_longjmp_sp(const struct __jmp_buf_tag *to)
{
	u64 sp = (u64)to->__jmpbuf[6], guard;

	__asm__("movq %%fs:0x30, %0" : "=r"(guard));
	return (sp >> 17 | sp << 47) ^ guard;
}

u64 arch_called(u64 return_address)
{
	const u8 *code = (const u8 *)return_address - 5;
	i32 distance;

	__builtin_memcpy(&distance, code + 1, sizeof distance);
	return *code == 0xe8 ? return_address + (u64)(i64)distance : 0;
}

/* --- instructions ---------------------------------------------------------------------------- */

bool arch_is_behind_call(const u8 *c)
{
	if (c[-5] == 0xe8)
		return true;
	for (int n = 2; n <= 7; n++)
		if (c[-n] == 0xff && (c[1 - n] & 0x38) == 0x10)
			return true;
	return false;
}

/* syscall, rdtsc, sysenter, rdtscp and the like, rdrand; int. */
bool arch_is_external(const u8 *c)
{
	if (c[0] == 0x0f)
		return c[1] == 0x05 || c[1] == 0x31 || c[1] == 0x34 || c[1] == 0x01 || c[1] == 0xc7;
	return c[0] == 0xcd;
}
