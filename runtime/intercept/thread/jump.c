/* SPDX-License-Identifier: ISC */
/*
 * jump.c - longjmp() while exploring: within the calling thread's stack, libc's is used; a jump off
 * that stack would leave the explored function, as test frameworks do when an assertion fails.
 */
#include "intercept/intercept.h"
#include "machine/core.h"
#include "sync/once.h"

static bool leaves_stack(const struct __jmp_buf_tag *to)
{
	return arch_longjmp_sp(to) - fiber_low(M.cur->slot) >= FIBER_STACK_STRIDE;
}

static _Noreturn void jump_to(struct __jmp_buf_tag *to, int value,
	void (*libc)(struct __jmp_buf_tag *, int))
{
	if (machine_entered()) {
		if (leaves_stack(to))
			machine_fail(FINDING_MISUSE, NULL, 0, NULL,
				"longjmp() off the thread's stack (a failed assertion of the test "
				"framework?)");
		once_forget(arch_longjmp_sp(to));
	}
	libc(to, value);
	__builtin_unreachable();
}

/* longjmp() under _FORTIFY_SOURCE. */
_Noreturn void __longjmp_chk(struct __jmp_buf_tag to[1], int value);

INTERCEPT void longjmp(struct __jmp_buf_tag to[1], int value)
{
	jump_to(to, value, real(longjmp));
}

INTERCEPT void _longjmp(struct __jmp_buf_tag to[1], int value)
{
	jump_to(to, value, real(_longjmp));
}

INTERCEPT void siglongjmp(struct __jmp_buf_tag to[1], int value)
{
	jump_to(to, value, real(siglongjmp));
}

INTERCEPT void __longjmp_chk(struct __jmp_buf_tag to[1], int value)
{
	jump_to(to, value, real(__longjmp_chk));
}
