/* SPDX-License-Identifier: ISC */
/* fiber_x86_64.S - the switch: what a call must keep goes to the old stack, comes from the new. */
#if defined(__x86_64__)
	.text
	.globl	fiber_switch_sp
	.hidden	fiber_switch_sp
	.type	fiber_switch_sp, @function
fiber_switch_sp:
	.cfi_startproc
	endbr64
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	pushq	%r13
	.cfi_adjust_cfa_offset 8
	pushq	%r14
	.cfi_adjust_cfa_offset 8
	pushq	%r15
	.cfi_adjust_cfa_offset 8
	movq	%rsp, (%rdi)
	movq	%rsi, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	fiber_switch_sp, . - fiber_switch_sp
#endif
	.section .note.GNU-stack, "", @progbits
