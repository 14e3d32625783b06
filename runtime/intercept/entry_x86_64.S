/* SPDX-License-Identifier: ISC */
/*
 * entry_x86_64.S - the doors through which the program's loads, RMWs and CASes come, and its attempts
 * to take a lock.
 *
 * Natively: straight on to native.c, or native_*() beside the interceptor. While exploring the callee-saved registers are pushed first
 * and machine_frame points at them: they, the stack above and memory are all that is live across
 * the call, which is what the spin detector compares (spin.h).
 */
#if defined(__x86_64__)
	.text

	.macro	BODY symbol, name
	.type	\symbol, @function
	.balign	16
\symbol:
	.cfi_startproc
	endbr64
	cmpb	$0, machine_exploring(%rip)
	je	native_\name
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	pushq	%r15
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r15, 0
	pushq	%r14
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r14, 0
	pushq	%r13
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r13, 0
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r12, 0
	movq	%rsp, machine_frame(%rip)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	explore_\name
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
	.cfi_endproc
	.size	\symbol, . - \symbol
	.endm

	.macro	DOOR name
	.globl	__heddle_\name
	BODY	__heddle_\name, \name
	.endm

	/* An interposed function: weak, as the others are (intercept.h). */
	.macro	ATTEMPT name
	.weak	\name
	BODY	\name, \name
	.endm

	.irp	size, 1, 2, 4, 8, 16
	DOOR	load\size
	DOOR	rmw\size
	DOOR	cas\size
	DOOR	plain_load\size
	.endr

	ATTEMPT	mtx_trylock
	ATTEMPT	pthread_mutex_trylock
	ATTEMPT	pthread_rwlock_tryrdlock
	ATTEMPT	pthread_rwlock_trywrlock
	ATTEMPT	pthread_spin_trylock
	ATTEMPT	sem_trywait
#endif
	.section .note.GNU-stack, "", @progbits
