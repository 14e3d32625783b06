/* SPDX-License-Identifier: ISC */
/*
 * jump.c - longjmp() while exploring: to another frame of the calling thread it is libc's; off its
 * stack it would leave the explored function, as test frameworks do when an assertion fails.
 *
 * Where a jump goes is the stack pointer in the jmp_buf. glibc keeps it mangled: rotated, and xored
 * with a word of the thread control block (sysdeps/unix/sysv/linux/x86_64: PTR_MANGLE).
 */
#include "intercept/intercept.h"
#include "machine/core.h"

#if defined(__x86_64__)
static u64 target_of(struct __jmp_buf_tag *to)
{
	u64 sp = (u64)to->__jmpbuf[6], guard;

	__asm__("movq %%fs:0x30, %0" : "=r"(guard));
	return (sp >> 17 | sp << 47) ^ guard;
}

static bool leaves(struct __jmp_buf_tag *to)
{
	u64 low = fiber_low(M.cur->slot);

	return target_of(to) - low >= FIBER_STACK_STRIDE;
}
#else
static bool leaves(struct __jmp_buf_tag *to)
{
	return false;
}
#endif

static _Noreturn void jump(struct __jmp_buf_tag *to, int value,
	void (*libc)(struct __jmp_buf_tag *, int))
{
	if (machine_entered() && leaves(to))
		machine_fail(FINDING_MISUSE, NULL, 0, NULL,
			"longjmp() off the thread's stack (a failed assertion of the test "
			"framework?)");
	libc(to, value);
	__builtin_unreachable();
}

/* What longjmp() is under _FORTIFY_SOURCE. */
_Noreturn void __longjmp_chk(struct __jmp_buf_tag to[1], int value);

INTERCEPT void longjmp(struct __jmp_buf_tag to[1], int value)
{
	jump(to, value, real(longjmp));
}

INTERCEPT void _longjmp(struct __jmp_buf_tag to[1], int value)
{
	jump(to, value, real(_longjmp));
}

INTERCEPT void siglongjmp(struct __jmp_buf_tag to[1], int value)
{
	jump(to, value, real(siglongjmp));
}

INTERCEPT void __longjmp_chk(struct __jmp_buf_tag to[1], int value)
{
	jump(to, value, real(__longjmp_chk));
}
